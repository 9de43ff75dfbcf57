extension Promise where Failure: Error {
  /// Creates a promise that a closure resolves, or rejects by throwing, and the progress of its work.
  ///
  /// The progress ends with the promise. It is complete if the promise is fulfilled, and otherwise keeps its last
  /// state. In all other respects, this behaves like ``Promise/init(on:fileID:line:_:)``.
  ///
  /// - Fulfils, fails, cancels: when `body` resolves the promise, inside its call or later.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `body` runs.
  ///   - total: The total number of units, or `nil`, the default, if it is not known yet. A negative total means an
  ///     unknown one.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: A closure that starts the work, resolves the promise through `resolver`, and reports to `progress`.
  public static func withProgress(
    on context: PromiseContext, total: Int64? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver, _ progress: PromiseProgress) throws(Failure) -> Void
  ) -> (promise: Promise, progress: PromiseProgress) {
    let progress = PromiseProgress(total: total)
    let (promise, resolver) = makeWithResolver(site: CallSite(fileID, line))
    // Before the body runs, so that the progress ends when the promise is resolved, even if the body continues.
    progress.ending(with: promise)
    OneShot {
      resolver.producer.inScope {
        do throws(Failure) { try body(resolver, progress) } catch { resolver.resolve(with: .thrown(error)) }
      }
    }.run(on: context)
    return (promise, progress)
  }
}
