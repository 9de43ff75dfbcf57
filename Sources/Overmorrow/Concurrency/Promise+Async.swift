extension Promise where Failure: Error {
  /// A promise for what an async closure returns or throws.
  ///
  /// ```swift
  /// let page = Promise<Page, any Error> {
  ///   try await download(url)
  /// }
  /// ```
  ///
  /// The closure runs in a task of its own, from now on. It belongs to the actor where it was written and carries
  /// task-local values over, as with `Task.init`. The task goes on whether or not the promise is held.
  ///
  /// - Fulfils: with what `operation` returns, also when it takes no notice of being cancelled.
  /// - Fails: with what `operation` throws.
  /// - Cancels: if `operation` throws `CancellationError`. A request to cancel cancels the task.
  /// - Runs on: the actor of the closure, or else the global executor.
  /// - Parameters:
  ///   - priority: The task's priority; by default that of the code that asks.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - operation: The work.
  @inlinable
  public init(
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Value
  ) {
    self.init(priority: priority, at: CallSite(fileID, line), operation)
  }

  /// The same by the call that the user has made, for the functions that begin async work later.
  @inlinable
  init(
    priority: TaskPriority?, at site: CallSite,
    _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Value
  ) {
    let (promise, resolver) = Promise.makeForLibrary(at: site, by: .task)
    self = promise
    let task = Task(priority: priority) { await resolver.resolve(with: operation) }
    resolver.onRequest { _ in task.cancel() }
  }

  /// A promise for what an async closure returns or throws, in a task that prefers an executor.
  ///
  /// As ``init(priority:fileID:line:_:)``, but for where the closure runs.
  ///
  /// - Runs on: the actor of the closure, or else the executor.
  /// - Parameters:
  ///   - priority: The task's priority; by default that of the code that asks.
  ///   - taskExecutor: Where the task prefers to run what belongs to no actor; `nil` for the global executor.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - operation: The work.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @inlinable
  public init(
    priority: TaskPriority? = nil, taskExecutor: (any TaskExecutor)?,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Value
  ) {
    let (promise, resolver) = Promise.makeForLibrary(at: CallSite(fileID, line), by: .task)
    self = promise
    let task = Task(executorPreference: taskExecutor, priority: priority) { await resolver.resolve(with: operation) }
    resolver.onRequest { _ in task.cancel() }
  }
}

extension Promise.Resolver where Failure: Error {
  /// Resolves with what a closure returns or throws.
  @inlinable
  @inline(__always)
  func resolve(with operation: @isolated(any) () async throws(Failure) -> Value) async {
    do throws(Failure) {
      fulfill(with: try await operation())
    } catch {
      resolve(with: .thrown(error))
    }
  }
}
