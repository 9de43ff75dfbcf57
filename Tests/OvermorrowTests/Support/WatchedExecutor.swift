import Overmorrow
import Testing

/// A manual executor that lets the test wait until work has been handed to it.
final class WatchedExecutor: PromiseExecutor {
  private let manual = ManualExecutor()
  private let arrivals: Latch

  /// - Parameter count: How many pieces of work the test is going to wait for.
  init(expecting count: Int = 1) { arrivals = Latch(count) }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    manual.enqueue(work)
    arrivals.signal()
  }

  var count: Int { manual.count }

  /// Waits until all the work that was expected is there.
  func waitForWork(sourceLocation: SourceLocation = #_sourceLocation) async {
    await arrivals.wait(for: "work for an executor", sourceLocation: sourceLocation)
  }

  /// Runs what is there, in order.
  @discardableResult
  func runAll() -> Int { manual.runAll() }

  /// Drops what is there, unrun.
  func dropAll() { manual.dropAll() }
}
