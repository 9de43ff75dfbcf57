internal import Dispatch

/// Finds out, from a block of a queue, whether the queue still makes progress. A serial queue admits no second thread,
/// and a concurrent queue gets no second thread if blocked waits have taken the whole pool. Dispatch offers no way to
/// ask.
final class QueueProbe: Sendable {
  private struct State {
    /// The time at which a thread began to wait for admission to the queue.
    var requestedAt: ContinuousClock.Instant?
    var wasAdmitted = false
    /// Whether the queue has begun new work.
    var hasProgressed = false
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())

  /// The size of Dispatch's pool on Apple's platforms. With this many blocked threads, the pool gets no further thread.
  private static var poolSize: Int { 64 }

  /// - Parameter queue: The queue whose callback the calling thread runs.
  init(_ queue: DispatchQueue) {
    queue.async { [self] in state.withLock { $0.hasProgressed = true } }
    // Submitted to a serial queue, which gets a thread even if the pool is busy.
    DispatchQueue(label: "Overmorrow.QueueProbe").async { [self] in
      state.withLock { $0.requestedAt = .now }
      queue.sync { state.withLock { $0.wasAdmitted = true } }
    }
  }

  /// Whether the queue is stuck: for this long, it has not admitted the probe's thread, or it has begun no new work
  /// while the pool is exhausted.
  func isStuck(after limit: Duration) -> Bool {
    let (now, isPoolExhausted) = (ContinuousClock.now, SpareThreads.numberBlocked >= Self.poolSize)
    return state.withLock { state in
      if !state.wasAdmitted, let requestedAt = state.requestedAt, now - requestedAt >= limit { return true }
      return !state.hasProgressed && isPoolExhausted && now - start >= limit
    }
  }
}
