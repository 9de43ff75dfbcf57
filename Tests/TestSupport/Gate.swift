internal import Overmorrow

/// Lets so many tests through at a time, first come, first served.
package final class Gate: Sendable {
  private struct State {
    /// How many places are free, less those who wait.
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Guarded<State>

  package init(width: Int) { state = Guarded(State(free: width)) }

  /// Returns when there is a place, and takes it.
  package func enter() async {
    await withCheckedContinuation { continuation in
      let mayEnter = state.withLock { state in
        state.free -= 1
        if state.free < 0 { state.waiting.append(continuation) }
        return state.free >= 0
      }
      if mayEnter { continuation.resume() }
    }
    // As in `Latch`: ThreadSanitizer sees the order of this lock, and not always that of a continuation.
    state.withLock { _ in }
  }

  /// Gives the place to the one who has waited longest, or leaves it free.
  package func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.free += 1
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }

  /// Runs something that has a place meanwhile.
  package func pass(_ body: @concurrent () async throws -> Void) async rethrows {
    await enter()
    defer { leave() }
    try await body()
  }
}
