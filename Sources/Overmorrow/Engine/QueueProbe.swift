internal import Dispatch
/// Finds out whether a queue goes on meanwhile, from a callback that it runs: a serial one does not, nor one of another kind when
/// waits have taken all threads. Dispatch itself does not tell.
final class QueueProbe: Sendable {
  private let start = ContinuousClock.now
  private let queue = Latch()
  private let pools = DispatchQoS.QoSClass.all.map { (qos: $0, latch: Latch()) }

  private final class Latch: Sendable {
    private let isOpen = Guarded(false)
    func open() { isOpen.withLock { $0 = true } }
    var value: Bool { isOpen.withLock { $0 } }
  }

  /// - Parameter place: A queue that the calling thread runs a callback of.
  init(_ place: Place) {
    place.enqueue { [queue] in queue.open() }
    // A queue that is not serial may be slow to get on as well, when the pool behind it has no thread left. It is not
    // known which one that is, so all have to get on.
    for (qos, latch) in pools { DispatchQueue.global(qos: qos).async { latch.open() } }
  }

  /// As many blocked threads as a pool of Dispatch has on Apple's platforms: it gets no further one.
  private static var poolSize: Int { 64 }

  /// Whether the queue has not gone on for so long, though the pool has, or never will.
  func isStuck(after doubt: Duration) -> Bool {
    !queue.value && ContinuousClock.now - start >= doubt
      && (ReliefThreads.blocked.load(ordering: .relaxed) >= Self.poolSize || pools.allSatisfy { $0.latch.value })
  }
}

extension DispatchQoS.QoSClass {
  fileprivate static var all: [Self] { [.background, .utility, .default, .userInitiated, .userInteractive] }
}
