internal import Dispatch

/// Finds out whether a queue is a serial one, from a callback that it runs: another kind lets a second thread in. Dispatch
/// itself does not tell.
final class QueueProbe: Sendable {
  private enum State {
    case new
    case knocking(since: ContinuousClock.Instant)
    case isIn
  }

  private let state = Guarded(State.new)

  /// - Parameter queue: A queue that the calling thread runs a callback of.
  init(_ queue: DispatchQueue) {
    // From a serial queue, which has a thread however busy the pool is; and no other one is needed for a concurrent queue.
    DispatchQueue(label: "Overmorrow.QueueProbe").async { [self] in
      state.withLock { $0 = .knocking(since: .now) }
      queue.sync { state.withLock { $0 = .isIn } }
    }
  }

  /// Whether the queue has not let the thread in for so long.
  func isStuck(after doubt: Duration) -> Bool {
    state.withLock { state in
      if case .knocking(let start) = state { ContinuousClock.now - start >= doubt } else { false }
    }
  }
}
