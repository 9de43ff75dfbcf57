internal import Dispatch

/// Finds out whether a queue goes on meanwhile, from a callback that it runs: a serial one lets no second thread in, and one of
/// another kind gets no second thread when waits have taken all of them. Dispatch itself does not tell.
final class QueueProbe: Sendable {
  private struct State {
    /// When a thread began to wait for being let in.
    var requestedAt: ContinuousClock.Instant?
    var wasAdmitted = false
    /// The queue has begun new work.
    var hasProgressed = false
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())

  /// As many blocked threads as a pool of Dispatch has on Apple's platforms: it gets no further one.
  private static var poolSize: Int { 64 }

  /// - Parameter queue: A queue that the calling thread runs a callback of.
  init(_ queue: DispatchQueue) {
    queue.async { [self] in state.withLock { $0.hasProgressed = true } }
    // From a serial queue, which has a thread however busy the pool is; and no other one is needed for a concurrent queue.
    DispatchQueue(label: "Overmorrow.QueueProbe").async { [self] in
      state.withLock { $0.requestedAt = .now }
      queue.sync { state.withLock { $0.wasAdmitted = true } }
    }
  }

  /// Whether the queue has not let the thread in for so long; or has begun nothing new, and never will.
  func isStuck(after limit: Duration) -> Bool {
    let (now, isPoolUsedUp) = (ContinuousClock.now, SpareThreads.numberBlocked >= Self.poolSize)
    return state.withLock { state in
      if !state.wasAdmitted, let requestedAt = state.requestedAt, now - requestedAt >= limit { return true }
      return !state.hasProgressed && isPoolUsedUp && now - start >= limit
    }
  }
}
