extension Promise where Failure: Error {
  /// A promise that a closure produces, and that is rejected with what the closure throws; and its progress.
  ///
  /// The progress ends with the promise: complete if that is fulfilled, and as far as it has come otherwise. In all
  /// else as ``Promise/init(on:fileID:line:_:)``.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where the body runs.
  ///   - total: The units of progress that there are, or `nil` if that is unknown yet.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver, and reports to the progress.
  public static func withProgress(
    on context: PromiseContext, total: Int64? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver, _ progress: PromiseProgress) throws(Failure) -> Void
  ) -> (promise: Promise, progress: PromiseProgress) {
    let progress = PromiseProgress(total: total)
    let (promise, resolver) = makeWithResolver(site: CallSite(fileID, line))
    // Before the body runs, so that the progress ends with the promise although the body goes on.
    progress.ending(with: promise)
    OneShot {
      resolver.producer.inScope {
        do throws(Failure) { try body(resolver, progress) } catch { resolver.resolve(with: .thrown(error)) }
      }
    }.run(on: context)
    return (promise, progress)
  }
}
