/// The results of several promises as they come in.
///
/// ```swift
/// for await (index, result) in PromiseCompletionOrder(of: uploads) {
///   progress.finish(files[index], with: result)
/// }
/// ```
///
/// Each iteration observes every promise, with one vote. It has an element for each promise, also for those that fail
/// or are cancelled, and ends with the last one. When the task that iterates is cancelled the iteration ends at once;
/// then, or when the loop is left early, the votes on unresolved promises are withdrawn.
///
/// - Complexity: One registration for each promise and iteration.
public struct PromiseCompletionOrder<Value: Sendable, Failure: Sendable>: AsyncSequence, Sendable {
  /// Where the promise is among those given, and its result.
  public typealias Element = (index: Int, result: PromiseResult<Value, Failure>)

  private let promises: [Promise<Value, Failure>]

  /// The results of promises in the order in which they resolve.
  ///
  /// Those that are resolved already come first, in the order given.
  ///
  /// - Parameter promises: What to observe, from the start of each iteration.
  public init(of promises: some Sequence<Promise<Value, Failure>>) { self.promises = Array(promises) }

  /// Observes all promises.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(promises) }

  /// Hands out one result after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var stream: AsyncStream<Element>.Iterator

    fileprivate init(_ promises: [Promise<Value, Failure>]) {
      let (stream, continuation) = AsyncStream<Element>.makeStream()
      let missing = Countdown(promises.count)
      let children = promises.enumerated().map { index, promise in
        promise.observe(
          ReportStep<Value, Failure, FullPart>.self, on: .immediate, gate: nil,
          .init { result in
            continuation.yield((index, result))
            if missing.isLast() { continuation.finish() }
          })
      }
      if promises.isEmpty { continuation.finish() }
      continuation.onTermination = { _ in for child in children { child.handle.core.endWaiting() } }
      self.stream = stream.makeAsyncIterator()
    }

    /// The next result, or `nil` when there is none left, or the task has been cancelled.
    public mutating func next() async -> Element? { await stream.next() }

    /// As ``next()``, on the actor that waits.
    ///
    /// - Parameter actor: The caller's; leave it to its default.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      await stream.next(isolation: actor)
    }
  }
}
