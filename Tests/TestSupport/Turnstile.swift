internal import Overmorrow
internal import OvermorrowEngine

/// Admits a limited number of tests at a time, in the order of their arrival.
package final class Turnstile: Sendable {
  private struct State {
    /// The number of free places minus the number of waiting tests.
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Guarded<State>

  package init(width: Int) { state = Guarded(State(free: width)) }

  /// Waits for a free place and takes it.
  package func enter() async {
    await withCheckedContinuation { continuation in
      let mayEnter = state.withLock { state in
        state.free -= 1
        if state.free < 0 { state.waiting.append(continuation) }
        return state.free >= 0
      }
      if mayEnter { continuation.resume() }
    }
    // As in `Latch`: ThreadSanitizer sees the order that this lock establishes, but not always that of a continuation.
    state.withLock { _ in }
  }

  /// Gives the place to the test that has waited longest, or frees it.
  package func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.free += 1
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }

  /// Runs a closure while holding a place.
  package func run(_ body: @concurrent () async throws -> Void) async rethrows {
    await enter()
    defer { leave() }
    try await body()
  }
}
