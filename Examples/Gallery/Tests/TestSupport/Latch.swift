import Synchronization

/// A latch that opens after the given number of arrivals, and stays open.
package final class Latch: Sendable {
  private struct State {
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  package init(_ count: Int = 1) {
    state = Mutex(State(missing: count))
  }

  /// Counts an arrival. Does not wait for the others.
  package func arrive() {
    let waiting = state.withLock { state in
      state.missing -= 1
      guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the latch is open.
  package func opened() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.missing > 0 { state.waiting.append(continuation) }
        return state.missing <= 0
      }
      if isOpen { continuation.resume() }
    }
  }
}
