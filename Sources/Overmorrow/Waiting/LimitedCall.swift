/// A call with a time limit. If the call exceeds the limit, its thread counts as blocked until the call returns, so
/// that a spare thread runs the work that waits for the pool.
@_spi(Adapters)
public final class LimitedCall: Sendable {
  private struct State {
    /// Whether the thread of the running call is a spare thread; `nil` while no call runs.
    var isSpare: Bool?
    var isTimeUp = false
  }

  private let state = Guarded(State())

  /// Creates a call whose limit has not passed.
  @_spi(Adapters)
  public init() {}

  /// Makes the call. One limit may cover several calls, one after the other.
  @_spi(Adapters)
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { if !$0.isTimeUp { $0.isSpare = SpareThreads.isCurrent } }
    defer {
      let isSpare = state.withLock { state in
        defer { state.isSpare = nil }
        return state.isTimeUp ? state.isSpare : nil
      }
      if let isSpare { SpareThreads.threadDidUnblock(isSpare: isSpare) }
    }
    return try body()
  }

  /// Counts the thread of the running call as blocked, if a call is running. Called when the limit has been reached.
  @_spi(Adapters)
  public func timeIsUp() {
    let isSpare = state.withLock { state in
      state.isTimeUp = true
      return state.isSpare
    }
    if let isSpare { SpareThreads.threadWillBlock(isSpare: isSpare) }
  }
}
