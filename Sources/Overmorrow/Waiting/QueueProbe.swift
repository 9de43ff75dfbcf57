internal import Dispatch

/// A test of whether a queue still makes progress while one of its blocks waits. A serial queue admits no second
/// thread. A concurrent queue gets no second thread if blocked waits occupy the whole pool. Dispatch has no function
/// that says whether a queue makes progress.
final class QueueProbe: Sendable {
  private struct State {
    /// The time at which a thread began to wait for admission to the queue.
    var requestedAt: ContinuousClock.Instant?
    var wasAdmitted = false
    /// Whether the queue has begun work that was submitted after the probe was created.
    var hasProgressed = false
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())

  /// The size of Dispatch's pool on Apple's platforms. With this many blocked threads, the pool gets no further thread.
  private static var poolSize: Int { 64 }

  /// - Parameter queue: The queue whose callback the calling thread runs.
  init(_ queue: DispatchQueue) {
    queue.async { [self] in state.withLock { $0.hasProgressed = true } }
    // This work is submitted to a serial queue, because a serial queue gets a thread even if the pool is busy.
    DispatchQueue(label: "Overmorrow.QueueProbe").async { [self] in
      state.withLock { $0.requestedAt = .now }
      queue.sync { state.withLock { $0.wasAdmitted = true } }
    }
  }

  /// Returns whether the queue is stuck. A queue is stuck if it has not admitted the probe's thread for as long as the
  /// limit. A queue is also stuck if it has begun no new work for as long as the limit and the pool is exhausted.
  func isStuck(after limit: Duration) -> Bool {
    let (now, isPoolExhausted) = (ContinuousClock.now, SpareThreads.numberBlocked >= Self.poolSize)
    return state.withLock { state in
      if !state.wasAdmitted, let requestedAt = state.requestedAt, now - requestedAt >= limit { return true }
      return !state.hasProgressed && isPoolExhausted && now - start >= limit
    }
  }
}
