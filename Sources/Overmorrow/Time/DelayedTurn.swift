internal import OvermorrowEngine

/// Resolves a promise with a delayed result, on a context.
///
/// If the executor of the context accepts work before the work is due (`PromiseReservingExecutor`), the executor gets
/// the delivery when the turn is created. At that time, the turn has no result yet.
struct DelayedTurn<Value: Sendable, Failure: Sendable>: Sendable {
  private let resolver: Promise<Value, Failure>.Resolver
  private let place: PromiseContext
  private let reserved: (begin: OneCall, turn: ReservedTurn)?

  init(of resolver: Promise<Value, Failure>.Resolver, at place: PromiseContext) {
    self.resolver = resolver
    self.place = place
    guard place.reserves else {
      reserved = nil
      return
    }
    let turn = ReservedTurn()
    let delivery = Delivery(resolver, turn)
    reserved = place.reserve { delivery.run() }.map { ($0, turn) }
  }

  /// Whether an executor already holds the turn. That executor may drop the turn.
  var isReserved: Bool { reserved != nil }

  /// Sets the result to deliver, and starts the delay.
  ///
  /// - Parameter yields: Whether a request to cancel ends the delay and cancels the promise.
  func begin(
    with result: PromiseResult<Value, Failure>, after delay: Duration, clock: any Clock<Duration>,
    yieldingToRequests yields: Bool
  ) {
    let timer: Timer
    if let (begin, turn) = reserved {
      guard turn.write(result) else { return }
      timer = Timer(after: delay, on: clock) { begin() }
      turn.keep(timer)
    } else {
      timer = Timer(after: delay, on: clock) { [resolver, place] in
        Pass.perform(on: place) { resolver.resolve(with: result) }
      }
    }
    if yields {
      resolver.onRequest(isAnswer: true) { resolver in
        timer.cancel()
        resolver?.cancel()
      }
    }
  }

  /// The state of a turn that an executor holds.
  private final class ReservedTurn: Sendable {
    private struct State {
      var result: PromiseResult<Value, Failure>?
      var timer: Timer?
      var isOver = false
    }

    private let state = Guarded(State())

    /// - Returns: `false` if the turn is over.
    func write(_ result: PromiseResult<Value, Failure>) -> Bool {
      state.withLock { state in
        state.result = result
        return !state.isOver
      }
    }

    func keep(_ timer: Timer) {
      let isOver = state.withLock { state in
        state.timer = timer
        return state.isOver
      }
      if isOver { finish() }
    }

    var result: PromiseResult<Value, Failure>? { state.withLock { $0.result } }

    /// Ends a turn that has run or was dropped, and cancels its timer.
    func finish() {
      let timer = state.withLock { state in
        state.isOver = true
        return state.timer.take()
      }
      timer?.cancel()
    }
  }

  /// The work of a reserved turn. Only the executor retains this object. If the executor releases the object without
  /// running the work, the promise is cancelled.
  private final class Delivery: Sendable {
    private let resolver: Promise<Value, Failure>.Resolver
    private let turn: ReservedTurn

    init(_ resolver: Promise<Value, Failure>.Resolver, _ turn: ReservedTurn) {
      self.resolver = resolver
      self.turn = turn
    }

    func run() {
      if let result = turn.result { resolver.resolve(with: result) }
    }

    deinit {
      turn.finish()
      resolver.cancel()
    }
  }
}
