public import OvermorrowDiagnostics
public import OvermorrowEngine

extension Promise where Failure: Error {
  /// Creates a promise for the result of an async closure.
  ///
  /// ```swift
  /// let page = Promise<Page, any Error> {
  ///   try await download(url)
  /// }
  /// ```
  ///
  /// The closure starts at once, in its own task. Like a closure of `Task.init`, it is isolated to the actor of the
  /// surrounding code, and reads the task-local values of the calling code. The task continues even if the promise is
  /// released.
  ///
  /// - Fulfils: with the value that `operation` returns, even if the task of `operation` was cancelled.
  /// - Fails: with the error that `operation` throws.
  /// - Cancels: if `operation` throws `CancellationError`. A request to cancel cancels the task.
  /// - Runs on: the actor that `operation` is isolated to, or the global executor if it is isolated to none.
  /// - Parameters:
  ///   - priority: The priority of the task. By default, the priority of the calling code.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - operation: The async closure to call.
  @inlinable
  public init(
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ operation: sending @escaping () async throws(Failure) -> Value
  ) {
    self.init(priority: priority, at: CallSite(fileID, line), operation)
  }

  /// Creates a promise for the result of an async closure, with the call site of the user's code. Functions that start
  /// async work after the user's call use this initialiser.
  @inlinable
  package init(
    priority: TaskPriority?, at site: CallSite,
    _ operation: sending @escaping () async throws(Failure) -> Value
  ) {
    let (promise, resolver, isNoted) = Promise.makeForTask(at: site)
    self = promise
    // Each branch uses the closure once, so that it is not copied.
    if isNoted || HandOverCount.isCounting {
      let task = Task.counted(priority: priority) {
        resolver.noteTask()
        await resolver.resolve(with: operation)
      }
      resolver.onRequest { _ in task.cancel() }
    } else {
      let task = Task(priority: priority) { await resolver.resolve(with: operation) }
      resolver.onRequest { _ in task.cancel() }
    }
  }

  /// Creates a promise for the result of an async closure that runs in a task with a preferred executor.
  ///
  /// Otherwise, this behaves like ``init(priority:fileID:line:_:)``.
  ///
  /// - Runs on: the actor that `operation` is isolated to, or `taskExecutor` if it is isolated to none.
  /// - Parameters:
  ///   - priority: The priority of the task. By default, the priority of the calling code.
  ///   - taskExecutor: The preferred executor for code that is isolated to no actor; `nil` for the global executor.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - operation: The async closure to call.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @inlinable
  public init(
    priority: TaskPriority? = nil, taskExecutor: (any TaskExecutor)?,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ operation: sending @escaping () async throws(Failure) -> Value
  ) {
    guard let taskExecutor else {
      self.init(priority: priority, at: CallSite(fileID, line), operation)
      return
    }
    let (promise, resolver, isNoted) = Promise.makeForTask(at: CallSite(fileID, line))
    self = promise
    // Each branch uses the closure once, so that it is not copied.
    if isNoted {
      let task = Task(executorPreference: taskExecutor, priority: priority) {
        resolver.noteTask()
        await resolver.resolve(with: operation)
      }
      resolver.onRequest { _ in task.cancel() }
    } else {
      let task = Task(executorPreference: taskExecutor, priority: priority) { await resolver.resolve(with: operation) }
      resolver.onRequest { _ in task.cancel() }
    }
  }
}

extension Promise {
  /// Creates an unresolved promise whose task is about to be created.
  ///
  /// - Returns: The promise, its resolver, and whether the promise may have a note.
  @inlinable
  @inline(__always)
  static func makeForTask(at site: CallSite) -> (Promise, Resolver, isNoted: Bool) {
    let (handle, resolver) = RootOperations<Value, Failure>.makeWithResolver(.library)
    let isNoted = handle.awaitsNote
    if isNoted { handle.takeNote(site, resolver, .task) }
    return (Promise(handle), Resolver(resolver), isNoted)
  }
}

extension Promise.Resolver where Failure: Error {
  /// Resolves the promise with the value that a closure returns or the error that it throws.
  @inlinable
  @inline(__always)
  func resolve(with operation: () async throws(Failure) -> Value) async {
    do throws(Failure) {
      fulfill(with: try await operation())
    } catch {
      resolve(with: .thrown(error))
    }
  }
}
