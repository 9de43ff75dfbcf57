internal import Dispatch

/// Finds out, from a callback of a queue, whether the queue makes progress meanwhile. A serial queue admits no second
/// thread, and a concurrent one gets no second thread when waits have taken all of them. Dispatch itself does not tell.
final class QueueProbe: Sendable {
  private struct State {
    /// When a thread began to wait for admission.
    var requestedAt: ContinuousClock.Instant?
    var wasAdmitted = false
    /// Whether the queue has begun new work.
    var hasProgressed = false
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())

  /// The size of Dispatch's pool on Apple's platforms: with so many blocked threads it gets no further one.
  private static var poolSize: Int { 64 }

  /// - Parameter queue: The queue whose callback the calling thread runs.
  init(_ queue: DispatchQueue) {
    queue.async { [self] in state.withLock { $0.hasProgressed = true } }
    // From a serial queue, which gets a thread however busy the pool is.
    DispatchQueue(label: "Overmorrow.QueueProbe").async { [self] in
      state.withLock { $0.requestedAt = .now }
      queue.sync { state.withLock { $0.wasAdmitted = true } }
    }
  }

  /// Whether the queue has not admitted the thread for this long; or has begun nothing new, and never will.
  func isStuck(after limit: Duration) -> Bool {
    let (now, isPoolUsedUp) = (ContinuousClock.now, SpareThreads.numberBlocked >= Self.poolSize)
    return state.withLock { state in
      if !state.wasAdmitted, let requestedAt = state.requestedAt, now - requestedAt >= limit { return true }
      return !state.hasProgressed && isPoolUsedUp && now - start >= limit
    }
  }
}
