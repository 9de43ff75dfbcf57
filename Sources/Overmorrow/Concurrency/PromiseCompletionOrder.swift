internal import OvermorrowEngine

/// The results of several promises, in the order in which the promises resolve.
///
/// ```swift
/// for await (index, result) in PromiseCompletionOrder(of: uploads) {
///   progress.finish(files[index], with: result)
/// }
/// ```
///
/// Each iteration observes every promise, with one vote on each promise. The iteration has one element for each
/// promise, including the promises that fail or are cancelled, and ends after the last element. If the iterating task
/// is cancelled, the iteration ends at once. If the iteration ends before the last element or the loop is left early,
/// the votes on unresolved promises are withdrawn.
///
/// - Complexity: One registration for each promise and iteration.
public struct PromiseCompletionOrder<Value: Sendable, Failure: Sendable>: AsyncSequence, Sendable {
  /// The index of a promise in the given sequence, and the result of the promise.
  public typealias Element = (index: Int, result: PromiseResult<Value, Failure>)

  let promises: [Promise<Value, Failure>]

  /// Creates the sequence of the results of promises, in the order in which the promises resolve.
  ///
  /// The results of promises that are already resolved come first, in the order of the given promises.
  ///
  /// - Parameter promises: The promises that each iteration observes.
  public init(of promises: some Sequence<Promise<Value, Failure>>) { self.promises = Array(promises) }

  /// Returns an iterator that observes all promises.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(promises) }

  /// An iterator over the results.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var stream: AsyncStream<Element>.Iterator

    fileprivate init(_ promises: [Promise<Value, Failure>]) {
      let (stream, continuation) = AsyncStream<Element>.makeStream()
      let missing = Countdown(promises.count)
      let children = promises.enumerated().map { index, promise in
        promise.observe(
          ReportStep<Value, Failure, WithdrawableVote>.self, on: .immediate, gate: nil,
          .init { result in
            continuation.yield((index, result))
            if missing.isLast() { continuation.finish() }
          })
      }
      if promises.isEmpty { continuation.finish() }
      continuation.onTermination = { _ in for child in children { child.handle.core.cancelWaiting() } }
      self.stream = stream.makeAsyncIterator()
    }

    /// Returns the next result, or `nil` if no result is left or the task was cancelled.
    public mutating func next() async -> Element? { await stream.next() }

    /// Returns the next result like ``next()``, on the actor of the caller.
    ///
    /// - Parameter actor: The actor of the caller. Omit this argument.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      await stream.next(isolation: actor)
    }
  }
}
