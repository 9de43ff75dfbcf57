internal import Dispatch

/// Finds out whether a queue goes on meanwhile, from a callback that it runs: a serial one lets no second thread in, and one of
/// another kind gets no second thread when waits have taken all of them. Dispatch itself does not tell.
final class QueueProbe: Sendable {
  private struct State {
    /// When a thread began to wait for being let in.
    var knockedAt: ContinuousClock.Instant?
    var isIn = false
    /// The queue has begun new work.
    var goesOn = false
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())

  /// As many blocked threads as a pool of Dispatch has on Apple's platforms: it gets no further one.
  private static var poolSize: Int { 64 }

  /// - Parameter queue: A queue that the calling thread runs a callback of.
  init(_ queue: DispatchQueue) {
    queue.async { [self] in state.withLock { $0.goesOn = true } }
    // From a serial queue, which has a thread however busy the pool is; and no other one is needed for a concurrent queue.
    DispatchQueue(label: "Overmorrow.QueueProbe").async { [self] in
      state.withLock { $0.knockedAt = .now }
      queue.sync { state.withLock { $0.isIn = true } }
    }
  }

  /// Whether the queue has not let the thread in for so long; or has begun nothing new, and never will.
  func isStuck(after doubt: Duration) -> Bool {
    let (now, isPoolUsedUp) = (ContinuousClock.now, ReliefThreads.numberBlocked >= Self.poolSize)
    return state.withLock { state in
      if !state.isIn, let knockedAt = state.knockedAt, now - knockedAt >= doubt { return true }
      return !state.goesOn && isPoolUsedUp && now - start >= doubt
    }
  }
}
