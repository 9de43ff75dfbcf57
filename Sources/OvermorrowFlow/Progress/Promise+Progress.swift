public import Overmorrow
internal import OvermorrowEngine

extension Promise where Failure: Error {
  /// Creates a promise and the progress of its work. A closure starts the work, reports its progress, and resolves the
  /// promise.
  ///
  /// The progress ends when the promise is resolved. If the promise is fulfilled, the progress is complete. If the
  /// promise is rejected or cancelled, the progress keeps its last state. In all other respects, this method behaves
  /// like `Promise.init(on:_:)`.
  ///
  /// - Fulfils, fails, cancels: when `body` resolves the promise, inside the call of `body` or later. An error that
  ///   `body` throws rejects the promise, and `CancellationError` cancels the promise.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `body` runs.
  ///   - total: The total number of units, or `nil`, the default, if the total is not known yet. A negative total means
  ///     that the total is unknown.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - body: A closure that starts the work, resolves the promise through `resolver`, and reports to `progress`.
  public static func withProgress(
    on context: PromiseContext, total: Int64? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver, _ progress: PromiseProgress) throws(Failure) -> Void
  ) -> (promise: Promise, progress: PromiseProgress) {
    let progress = PromiseProgress(total: total)
    let (promise, resolver) = makeWithResolver(site: CallSite(fileID, line))
    // The progress observes the promise before the body runs. So the progress ends when the promise is resolved, even
    // if the body continues.
    progress.ending(with: promise)
    resolver.run(
      { resolver in
        do throws(Failure) { try body(resolver, progress) } catch { resolver.resolve(with: .thrown(error)) }
      }, on: context)
    return (promise, progress)
  }
}
