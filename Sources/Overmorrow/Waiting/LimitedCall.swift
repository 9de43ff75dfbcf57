/// A call for which there is a time limit. When that is up, the thread counts as blocked until the call returns: then what waits for a
/// thread of the pool runs on another one.
package final class LimitedCall: Sendable {
  private struct State {
    /// While the call runs in time, whether its thread is one that helps out.
    var isSpare: Bool?
    var isTimeUp = false
  }

  private let state = Guarded(State())

  package init() {}

  /// Makes the call. The same limit may be for several, one after the other.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { if !$0.isTimeUp { $0.isSpare = SpareThreads.isCurrent } }
    defer {
      let late = state.withLock { state in
        defer { state.isSpare = nil }
        return state.isTimeUp ? state.isSpare : nil
      }
      if let late { SpareThreads.threadDidUnblock(isSpare: late) }
    }
    return try body()
  }

  /// The time is up.
  package func timeIsUp() {
    let running = state.withLock { state in
      state.isTimeUp = true
      return state.isSpare
    }
    if let running { SpareThreads.threadWillBlock(isSpare: running) }
  }
}
