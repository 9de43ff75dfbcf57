public import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise {
  /// Returns a promise for the first success of several attempts, of which each begins if the previous one is slow.
  ///
  /// ```swift
  /// let page = Promise.hedge(after: .milliseconds(300), on: .utility) { _ in fetchPage() }
  /// ```
  ///
  /// Choose a delay that most attempts do not exceed, such as the 95th percentile of the latency. Use hedging only for
  /// work that may be done twice.
  ///
  /// - Fulfils: with the value of the first attempt that is fulfilled. The other attempts are asked to cancel.
  /// - Fails: with the error of an attempt that fails while no other attempt is running. Hedging is not a retry.
  /// - Cancels: if an attempt is cancelled while no other attempt is running. A request to cancel withdraws one vote on
  ///   each running attempt. No attempt begins after the request. If the first attempt has not begun, the request
  ///   cancels the promise at once.
  /// - Runs on: `context`. With `.immediate`, the first attempt begins inside this call. For the other attempts,
  ///   `.immediate` counts as `.auto`. Any number of attempts can begin without growing the stack.
  /// - Order: while an attempt is running, a further attempt begins after each delay, but not before the closure of the
  ///   previous attempt has returned. So the closure must not block. The attempts begin in the order of their numbers.
  /// - Parameters:
  ///   - delay: The delay after which a further attempt begins, counted from the begin of the previous attempt. Zero or
  ///     less means that all attempts begin at once, one after the other on `context`.
  ///   - attempts: The largest number of attempts; 2 by default. A value below 1 counts as 1.
  ///   - context: The context on which attempts begin.
  ///   - clock: The clock that measures the delay. The continuous clock by default.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - attempt: A closure that begins an attempt. The closure is called with the number of the attempt, counted from
  ///     1.
  public static func hedge(
    after delay: Duration, attempts: Int = 2, on context: PromiseContext,
    clock: any Clock<Duration> = ContinuousClock(), fileID: StaticString = #fileID, line: UInt = #line,
    _ attempt: @escaping @Sendable (_ number: Int) -> Promise
  ) -> Promise {
    let site = CallSite(fileID, line)
    let (promise, resolver) = makeForLibrary(at: site, by: .attempt)
    let attempts = Diagnostics.replace(attempts, by: max(attempts, 1), "Promise.hedge.attempts")
    let hedge = Hedge(resolver, attempts: attempts, after: delay, on: clock, attempt) { number, delay, begin in
      if number > 1, delay > .zero {
        let (turn, start) = Promise<Void, Failure>.makeDelayed(
          on: context, with: .value(()), after: delay, clock: clock, at: site, by: .nextAttempt)
        // The delay ends on the context, so that the attempt needs no further hop.
        defer { start() }
        return turn.transformValue(on: .immediate, token: nil) { .promise(begin()) }
      }
      // Further attempts begin outside the call that has begun the previous one.
      let later: PromiseContext = context.later.isNow ? .auto : context.later
      let (turn, work) = HeldWork.make(on: number == 1 ? context : later, at: site, by: .attempt) { _ in begin() }
      defer { work.start() }
      return turn
    }
    resolver.onRequestCancel(on: .immediate) { _ in hedge.stop() }
    hedge.schedule(1, after: .zero)
    return promise
  }
}

/// The attempts of one hedge.
private final class Hedge<Value: Sendable, Failure: Sendable>: Sendable {
  typealias Attempt = Promise<Value, Failure>

  private struct State {
    /// The numbers of the attempts that are running.
    var running: Set<Int> = []
    /// Whether no further attempt may begin.
    var isStopped = false
    /// Whether the result of an attempt is the result of the hedge.
    var isDecided = false
  }

  private let state = Guarded(State())
  private let resolver: Attempt.Resolver
  /// The attempts that have begun or wait for their turn.
  private let attempts: PromiseInputs<Value, Failure>
  private let count: Int
  private let delay: Duration
  private let clock: any Clock<Duration>
  private let attempt: @Sendable (Int) -> Attempt
  /// Calls a closure on the context when the turn of an attempt has come, which is after a delay.
  private let inTurn: @Sendable (Int, Duration, @escaping @Sendable () -> Attempt) -> Attempt

  init(
    _ resolver: Attempt.Resolver, attempts: Int, after delay: Duration, on clock: any Clock<Duration>,
    _ attempt: @escaping @Sendable (Int) -> Attempt,
    inTurn: @escaping @Sendable (Int, Duration, @escaping @Sendable () -> Attempt) -> Attempt
  ) {
    self.resolver = resolver
    self.attempts = PromiseInputs(of: resolver)
    count = attempts
    self.delay = delay.asWait
    self.clock = clock
    self.attempt = attempt
    self.inTurn = inTurn
  }

  /// Begins an attempt when its turn has come.
  func schedule(_ number: Int, after delay: Duration) {
    let promise = inTurn(number, delay) { self.begin(number) }
    attempts.wait(for: promise) { self.end(number, with: $0) }
  }

  private func begin(_ number: Int) -> Attempt {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.running.insert(number) }
      return state.isStopped
    }
    if isStopped { return Attempt(with: .cancelled, site: .library) }
    guard number < count else { return attempt(number) }
    let elapsed = clock.stopwatch()
    let promise = attempt(number)
    let result = promise.result
    // An attempt that has failed at once does not end the hedge if others are running.
    let isOver = state.withLock { state in
      state.isStopped || result.map { $0.value != nil || state.running == [number] } ?? false
    }
    if !isOver { schedule(number + 1, after: delay - elapsed().asWait) }
    return promise
  }

  /// Handles the end of an attempt, or of an attempt that has lost its turn.
  private func end(_ number: Int, with result: PromiseResult<Value, Failure>) {
    let isFinal = state.withLock { state in
      state.running.remove(number)
      let isFinal = !state.isDecided && (result.value != nil || state.running.isEmpty)
      // No attempt begins while the observers of the result run.
      if isFinal { (state.isDecided, state.isStopped) = (true, true) }
      return isFinal
    }
    guard isFinal else { return }
    resolver.resolve(with: result)
    stop()
    attempts.end()
  }

  /// Asks all attempts to cancel. No further attempt begins.
  func stop() {
    state.withLock { $0.isStopped = true }
    attempts.requestCancel()
  }
}
