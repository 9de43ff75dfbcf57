internal import Dispatch

/// Finds out whether a queue is a serial one, from a callback that it runs: only another kind gets on with new work
/// meanwhile. Dispatch itself does not tell.
final class QueueProbe: Sendable {
  private let start = ContinuousClock.now
  private let queue = Latch()
  private let pool = Latch()

  private final class Latch: Sendable {
    private let isOpen = Guarded(false)
    func open() { isOpen.withLock { $0 = true } }
    var value: Bool { isOpen.withLock { $0 } }
  }

  /// - Parameter place: A queue that the calling thread runs a callback of.
  init(_ place: Place) {
    place.enqueue { [queue] in queue.open() }
    // A queue that is not serial may be slow to get on as well, when the pool behind it has no thread left.
    DispatchQueue.global(qos: .background).async { [pool] in pool.open() }
  }

  /// Whether the queue has not gone on for so long, though the pool has.
  func isStuck(after doubt: Duration) -> Bool {
    !queue.value && pool.value && ContinuousClock.now - start >= doubt
  }
}
