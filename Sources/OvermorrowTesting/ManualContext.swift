public import Overmorrow

/// A context whose callbacks run when the test says so: one at a time, in order or in a shuffled order.
///
/// ```swift
/// let context = ManualContext()
/// let doubled = Promise<Int, Never>(fulfilled: 21).map(on: context.context) { $0 * 2 }
/// expectPending(doubled)
/// context.runNext()
/// expectFulfilled(doubled)  // 42
/// ```
///
/// With a seed, the next callback is any of those that are queued, the same ones in each run of the test: a test that
/// tries some seeds finds out whether its subject depends on an order that no queue guarantees.
///
/// The callbacks that are queued when the last reference to it goes, and those that come later, are dropped unrun; the
/// promises that waited for them are cancelled. **It may be used from any thread**; callbacks run on the thread that
/// calls a `run` method.
public final class ManualContext: Sendable {
  private let queue: ManualQueue

  /// A context that runs its callbacks in the order in which they come.
  public init() { queue = ManualQueue(generator: nil) }

  /// A context that runs its callbacks in an order that depends on a seed.
  ///
  /// - Parameter seed: The same seed gives the same order.
  public init(shuffledBy seed: UInt64) { queue = ManualQueue(generator: SeededGenerator(seed: seed)) }

  deinit { queue.close() }

  /// What to hand to promises. It does not keep this object.
  public var context: PromiseContext { .executor(queue) }

  /// How many callbacks are queued.
  public var count: Int { queue.count }

  /// Queues a closure like a callback.
  ///
  /// - Parameter work: Run once, or dropped.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { queue.enqueue(work) }

  /// Runs the next callback.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func runNext() -> Bool {
    guard let work = queue.takeNext() else { return false }
    work()
    return true
  }

  /// Runs what is queued, and what is queued meanwhile, until nothing is left.
  ///
  /// If something is left after `limit` callbacks, the test fails: then something probably queues itself for ever.
  ///
  /// - Parameters:
  ///   - limit: How many callbacks to run at most.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  /// - Returns: How many callbacks were run.
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

  /// Drops what is queued, unrun; the promises that waited for it are cancelled.
  public func dropAll() { queue.dropAll() }

  /// Waits until so many callbacks are queued, for work that other threads queue; after the bound the test fails.
  ///
  /// - Parameters:
  ///   - count: How many have to be there, at least.
  ///   - bound: How long to wait, in real time.
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
      .record("waited \(bound) in vain for \(count) callbacks in \(self)", PromiseDiagnostics.pending())
  }
}

extension ManualContext: CustomStringConvertible {
  /// How many callbacks are queued and how many have been run.
  public var description: String { "ManualContext(\(queue.count) queued, \(queue.runCount) run)" }
}
