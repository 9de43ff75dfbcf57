public import Overmorrow

/// A context whose callbacks run when the test runs them, one at a time, in order of submission or in a shuffled order.
///
/// ```swift
/// let context = ManualContext()
/// let doubled = Promise<Int, Never>(fulfilled: 21).map(on: context.context) { $0 * 2 }
/// expectPending(doubled)
/// context.runNext()
/// expectFulfilled(doubled)  // 42
/// ```
///
/// With a seed, the next callback is a random one of the queued callbacks. The same seed gives the same order in each
/// run of the test. A test that tries several seeds finds out whether the tested code depends on an order that no queue
/// guarantees.
///
/// When the last reference to the context is released, the queued callbacks and all later callbacks are dropped without
/// running. The promise of a dropped transform is cancelled, and the promise of a dropped observer passes on the result
/// of its source. **A context may be used from any thread.** Callbacks run on the thread that calls a `run` method.
public final class ManualContext: Sendable {
  private let queue: ManualQueue

  /// Creates a context that runs its callbacks in the order of submission.
  public init() { queue = ManualQueue(generator: nil) }

  /// Creates a context that runs its callbacks in an order that a seed determines.
  ///
  /// - Parameter seed: The seed. The same seed gives the same order.
  public init(shuffledBy seed: UInt64) { queue = ManualQueue(generator: SeededGenerator(seed: seed)) }

  deinit { queue.close() }

  /// The context to pass to operators. This context does not retain the `ManualContext`.
  public var context: PromiseContext { .executor(queue) }

  /// The number of queued callbacks.
  public var count: Int { queue.count }

  /// Queues a closure like a callback.
  ///
  /// - Parameter work: The closure, which is run once or dropped.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { queue.enqueue(work) }

  /// Runs the next callback.
  ///
  /// - Returns: `true` if there was a callback.
  @discardableResult
  public func runNext() -> Bool {
    guard let work = queue.takeNext() else { return false }
    work()
    return true
  }

  /// Runs the queued callbacks, including callbacks that are queued meanwhile, until no callback is left.
  ///
  /// If callbacks are left after `limit` callbacks have run, the test fails, because callbacks probably queue further
  /// callbacks for ever.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of callbacks to run.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  /// - Returns: The number of callbacks that were run.
  @discardableResult
  public func runAll(
    limit: Int = 1_000_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Int {
    var done = 0
    while done < limit, runNext() { done += 1 }
    if done == limit, count > 0 {
      TestFailure(fileID, filePath, line, column).record("\(self) still has work after \(done) callbacks")
    }
    return done
  }

  /// Drops the queued callbacks without running them. The promise of a dropped transform is cancelled, and the promise
  /// of a dropped observer passes on the result of its source.
  public func dropAll() { queue.dropAll() }

  /// Waits until other threads have queued a number of callbacks. If fewer callbacks are queued when the bound is
  /// reached, the test fails.
  ///
  /// - Parameters:
  ///   - count: The minimum number of queued callbacks.
  ///   - bound: The longest time to wait, in real time.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func waitForWork(
    _ count: Int = 1, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    if await queue.arrival(of: count).hasResolved(within: bound) { return }
    TestFailure(fileID, filePath, line, column)
      .record("after \(bound), \(self) still has fewer than \(count) callbacks", PromiseDiagnostics.pending())
  }
}

extension ManualContext: CustomStringConvertible {
  /// The number of queued callbacks, and the number of callbacks that have run.
  public var description: String { "ManualContext(\(queue.count) queued, \(queue.runCount) run)" }
}
