public import Overmorrow
public import OvermorrowFlow

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PromiseLoad {
  /// Creates a handle whose loads are async.
  ///
  /// ```swift
  /// let results = PromiseLoad { text in try await service.articles(about: text) }
  /// ```
  ///
  /// Each load runs in its own task, which is cancelled when the load is asked to cancel.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: The async closure that loads a value. It is called on the main actor.
  @_disfavoredOverload  // so that a closure which returns a promise is not a load of promises
  public convenience init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @MainActor (_ input: Input) async throws -> Value
  ) {
    self.init(start: { input, _ in
      // A closure on the main actor may capture an input that is not `Sendable`.
      let operation: @MainActor () async throws -> Value = { try await work(input) }
      return StartedLoad(Promise<Value, any Error>(fileID: fileID, line: line) { try await operation() })
    })
  }

  /// Creates a handle whose loads are promises.
  ///
  /// ```swift
  /// let results = PromiseLoad { text in service.search(text) }
  /// ```
  ///
  /// - Parameter work: The closure that starts a load and returns a promise for its value. It is called on the main
  ///   actor.
  public convenience init<Failure: Error>(
    _ work: @escaping @MainActor (_ input: Input) throws -> Promise<Value, Failure>
  ) {
    self.init(start: { input, _ in StartedLoad(try work(input)) })
  }

  /// Creates a handle whose loads are promises that may fail with any error.
  ///
  /// Otherwise, this behaves like the initialiser for promises with a failure of their own. With it, the compiler knows
  /// the failure of `Promise(fulfilled: 7)`.
  ///
  /// - Parameter work: The closure that starts a load and returns a promise for its value. It is called on the main
  ///   actor.
  public convenience init(_ work: @escaping @MainActor (_ input: Input) throws -> Promise<Value, any Error>) {
    self.init(start: { input, _ in StartedLoad(try work(input)) })
  }

  /// Creates a handle whose loads have a progress.
  ///
  /// ```swift
  /// let upload = PromiseLoad { file in
  ///   let progress = PromiseProgress()
  ///   return (session.upload(file, progress), progress)
  /// }
  /// ```
  ///
  /// - Parameter work: The closure that starts a load, and returns a promise for its value and the progress of the
  ///   load. It is called on the main actor.
  public convenience init<Failure: Error>(
    _ work: @escaping @MainActor (_ input: Input) throws -> (Promise<Value, Failure>, PromiseProgress)
  ) {
    self.init(start: { input, _ in
      let (promise, progress) = try work(input)
      return StartedLoad(promise, progress: progress)
    })
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PromiseLoad where Input == Void {
  /// Starts a load. Replaces the running load.
  public func load() { load(()) }

  /// Starts a load or joins the running load, and waits until it has ended or is replaced. If the calling task is
  /// cancelled, the call returns, and a load that nobody else holds is asked to cancel.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func run(fileID: StaticString = #fileID, line: UInt = #line) async {
    await run((), fileID: fileID, line: line)
  }
}
