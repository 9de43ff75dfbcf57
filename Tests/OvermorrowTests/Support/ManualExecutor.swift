import Synchronization

@testable import Overmorrow

/// Keeps the work that it is given until the test runs or drops it.
final class ManualExecutor: PromiseExecutor {
  private let queue = Guarded<[@Sendable () -> Void]>([])

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.withLock { $0.append(work) } }

  var count: Int { queue.withLock { $0.count } }

  /// Runs what is there, in order, and what comes meanwhile; the number of closures run.
  @discardableResult
  func runAll() -> Int {
    var count = 0
    while runNext() { count += 1 }
    return count
  }

  /// Runs the first closure; `false` when there is none.
  @discardableResult
  func runNext() -> Bool {
    guard let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    work()
    return true
  }

  /// Drops what is there, unrun.
  func dropAll() {
    let dropped = queue.withLock { queue in
      defer { queue = [] }
      return queue
    }
    withExtendedLifetime(dropped) {}
  }
}
