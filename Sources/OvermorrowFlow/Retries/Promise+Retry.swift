public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

extension Promise {
  /// Returns a promise for the first success of several attempts.
  ///
  /// ```swift
  /// let policy = PromiseRetryPolicy(attempts: 4, backoff: .exponential(.milliseconds(200)))
  /// let page = Promise.retry(policy, on: .utility) { _ in fetchPage() }
  /// ```
  ///
  /// - Fulfils: with the value of the first attempt that is fulfilled, without a hop. With `until`, with the first
  ///   value for which the closure returns `true`. If the policy allows no further attempt, with the last value.
  /// - Fails: with the error of the last attempt, when the policy allows no further attempt.
  /// - Cancels: if an attempt is cancelled. A request to cancel ends the delay between two attempts at once, and
  ///   withdraws one vote on an attempt that is running. No attempt begins after the request. If no attempt is running,
  ///   the promise is cancelled at once, even if `context` is busy.
  /// - Pauses: while the ``PromisePause`` of `context` is suspended, no attempt begins. The delay between two attempts
  ///   is not suspended.
  /// - Runs on: `context`, for `attempt` and the closures of the policy. With `.immediate` or `.nowOr`, the first
  ///   attempt begins inside this call.
  /// - Order: each attempt begins after the previous one has ended. Any number of attempts can be made without growing
  ///   the stack. After a thousand attempts, an attempt without a delay is submitted to `context` again. On
  ///   `.immediate`, that attempt is submitted to a global queue.
  /// - Parameters:
  ///   - policy: The largest number of attempts, the errors after which to retry, and the delays between attempts. By
  ///     default, three attempts without a delay.
  ///   - context: The context on which attempts begin.
  ///   - clock: The clock that measures the delays and the policy's deadline. The continuous clock by default.
  ///   - generator: The source of random numbers for the policy's jitter. Use a seeded generator to get the same
  ///     numbers each time.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - attempt: A closure that begins an attempt. The closure is called with the number of the attempt, counted from
  ///     1.
  ///   - isRight: A closure that returns whether a value is the one that the retry is for. After another value, a
  ///     further attempt begins as after an error, except that the policy's conditions and advice for errors do not
  ///     apply. The closure runs on `context`. `nil`, the default, means that each value is right.
  @inlinable
  public static func retry(
    _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), on context: PromiseContext,
    clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line,
    _ attempt: @escaping @Sendable (_ number: Int) -> Promise,
    until isRight: (@Sendable (_ value: Value) -> Bool)? = nil
  ) -> Promise {
    var first: Promise?
    // A first attempt without an error needs no other promise, unless the diagnostics are to show one. The time of a
    // deadline begins before the first attempt, and a budget counts the first attempt.
    if case .immediate = context, isRight == nil, policy.deadline == nil, policy.budget == nil,
      !UntypedPromise.isWatching
    {
      let promise = attempt(1)
      if UntypedPromise(promise).isResolvedWithoutError { return promise }
      first = promise
    }
    return start(policy, on: context, clock, generator, first, CallSite(fileID, line), attempt, until: isRight)
  }

  /// Starts a retry.
  ///
  /// - Parameter first: The promise of the first attempt, if it has begun.
  @usableFromInline
  static func start(
    _ policy: PromiseRetryPolicy<Failure>, on context: PromiseContext, _ clock: any Clock<Duration>,
    _ generator: any RandomNumberGenerator & Sendable, _ first: Promise?, _ site: CallSite,
    _ attempt: @escaping @Sendable (_ number: Int) -> Promise, until isRight: (@Sendable (Value) -> Bool)?
  ) -> Promise {
    Retry(policy, on: context, clock: clock, at: site, attempt, until: isRight).start(generator, after: first)
  }

  /// Returns a promise for the first success of several attempts. Each attempt begins on the actor that the closure is
  /// isolated to.
  ///
  /// Otherwise, this method behaves like ``retry(_:on:clock:generator:fileID:line:_:until:)``.
  ///
  /// - Runs on: the actor that `attempt` is isolated to, or `.default` if `attempt` is not isolated. The closures of
  ///   the policy run on that actor, or on `.default` if `attempt` is not isolated.
  /// - Parameters:
  ///   - policy: The largest number of attempts, the errors after which to retry, and the delays between attempts.
  ///   - clock: The clock that measures the delays and the policy's deadline. The continuous clock by default.
  ///   - generator: The source of random numbers for the policy's jitter.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - attempt: A closure that begins an attempt. The closure is called with the number of the attempt, counted from
  ///     1.
  ///   - isRight: A closure that returns whether a value is the one that the retry is for.
  public static func retry(
    _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ attempt: @escaping @Sendable @isolated(any) (_ number: Int) -> Promise,
    until isRight: (@Sendable (_ value: Value) -> Bool)? = nil
  ) -> Promise {
    retry(
      policy, on: .isolated(to: attempt.isolation, otherwise: .default), clock: clock, generator: generator,
      fileID: fileID, line: line, Isolation.unchecked(attempt), until: isRight)
  }

  /// Returns a promise for the first success of several attempts, for other modules of the library. These modules pass
  /// the user's call site.
  package static func retry(
    _ policy: PromiseRetryPolicy<Failure>, on context: PromiseContext, clock: any Clock<Duration>, at site: CallSite,
    _ attempt: @escaping @Sendable (_ number: Int) -> Promise
  ) -> Promise {
    Retry(policy, on: context, clock: clock, at: site, attempt).start(SystemRandomNumberGenerator())
  }
}

extension Promise where Failure: Error {
  /// Returns a promise for the first success of several attempts of an async closure.
  ///
  /// ```swift
  /// let page = Promise.retry(PromiseRetryPolicy(attempts: 4)) { _ in
  ///   try await service.page()
  /// }
  /// ```
  ///
  /// Each attempt runs in its own task, and a request to cancel cancels the running task. If an attempt throws
  /// `CancellationError`, the promise is cancelled and no further attempt begins. Otherwise, this method behaves like
  /// ``retry(_:on:clock:generator:fileID:line:_:until:)``.
  ///
  /// - Runs on: the actor that `attempt` is isolated to, or the global executor if `attempt` is not isolated. The
  ///   closures of the policy run on that actor, or on `.default` if `attempt` is not isolated.
  /// - Parameters:
  ///   - policy: The largest number of attempts, the errors after which to retry, and the delays between attempts.
  ///   - clock: The clock that measures the delays and the policy's deadline. The continuous clock by default.
  ///   - generator: The source of random numbers for the policy's jitter.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - attempt: The async closure of an attempt. The closure is called with the number of the attempt, counted from
  ///     1.
  ///   - isRight: A closure that returns whether a value is the one that the retry is for.
  public static func retry(
    _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ attempt:
      @escaping @Sendable @isolated(any) (_ number: Int) async throws(Failure) -> Value,
    until isRight: (@Sendable (_ value: Value) -> Bool)? = nil
  ) -> Promise {
    let (tasks, priority, site) = (CallerTasks(), Task.currentPriority, CallSite(fileID, line))
    return retry(
      policy, on: .isolated(to: attempt.isolation, otherwise: .default), clock: clock, generator: generator,
      fileID: fileID, line: line,
      { number in
        tasks.promise(priority: priority, at: site) { () async throws(Failure) in try await attempt(number) }
      }, until: isRight)
  }
}

/// The state that the attempts of one retry share.
private final class Retry<Value: Sendable, Failure: Sendable>: Sendable {
  typealias Generator = any RandomNumberGenerator & Sendable

  /// The largest number of attempts that follow one another inside one call.
  private static var attemptsInARow: Int { 1000 }

  private let policy: PromiseRetryPolicy<Failure>
  /// The context without its pauses.
  private let context: PromiseContext
  private let pauses: [PauseLine]
  private let clock: any Clock<Duration>
  /// The context to which an attempt is submitted if it must not run inside the current call.
  private var turnContext: PromiseContext { context.later.isNow ? .default : context.later }
  /// The user's call of `retry`.
  private let site: CallSite
  private let attempt: @Sendable (Int) -> Promise<Value, Failure>
  /// Returns whether a value ends the retry; `nil` if each value does.
  private let isRight: (@Sendable (Value) -> Bool)?
  private let elapsed: @Sendable () -> Duration
  private let turn = Guarded(Turn())

  /// The turn of the step that follows the newest attempt. Only a step on a queue, an actor or an executor waits for
  /// its turn.
  private struct Turn: Sendable {
    /// The step; `nil` if it has begun.
    var step: TurnOfStep?
    /// The number of the last step that has begun.
    var begun = 0
    /// Whether the retry was asked to cancel.
    var isAsked = false
  }

  init(
    _ policy: PromiseRetryPolicy<Failure>, on context: PromiseContext, clock: any Clock<Duration>, at site: CallSite,
    _ attempt: @escaping @Sendable (Int) -> Promise<Value, Failure>, until isRight: (@Sendable (Value) -> Bool)? = nil
  ) {
    self.policy = policy
    (pauses, self.context) = context.behindPauses
    self.clock = clock
    self.site = site
    self.attempt = attempt
    self.isRight = isRight
    elapsed = clock.stopwatch()
  }

  /// - Parameter first: The promise of the first attempt, if it has begun.
  func start(_ generator: Generator, after first: Promise<Value, Failure>? = nil) -> Promise<Value, Failure> {
    let (promise, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .attempt) { [self] resolver in
      // The steps of the attempts must not retain a resolver of the promise that waits for them.
      let promise = resolver.weakPromise
      let begins: @Sendable (Int) -> Bool = { number in
        guard let promise, !promise.hasRequestedCancel else { return false }
        if UntypedPromise.isWatching { promise.noteAttempt(number) }
        return true
      }
      if hasTurns { resolver.onRequestCancel(on: .immediate) { _ in self.endTurn() } }
      return first.map { next(after: 1, $0, generator, if: begins) } ?? run(1, generator, nil, if: begins)
    }
    work.start(under: pauses)
    return promise
  }

  /// Begins an attempt. If another attempt follows, the returned promise adopts the promise of that attempt.
  ///
  /// - Parameters:
  ///   - retry: The retry that was taken from the budget for this attempt.
  ///   - begins: A closure that returns whether an attempt begins, which depends on requests to cancel.
  private func run(
    _ number: Int, _ generator: Generator, _ retry: PromiseRetryBudget.Retry?,
    if begins: @escaping @Sendable (Int) -> Bool
  ) -> Promise<Value, Failure> {
    if !begins(number) { return Promise(with: .cancelled, site: .library) }
    if number > 1 { policy.beginRetry(retry) }
    return next(after: number, attempt(number), generator, if: begins)
  }

  /// Returns a promise for the result of an attempt or, if another attempt follows, for the result of that attempt.
  private func next(
    after number: Int, _ promise: Promise<Value, Failure>, _ generator: Generator,
    if begins: @escaping @Sendable (Int) -> Bool
  ) -> Promise<Value, Failure> {
    // A thousand attempts may be followed by a step of their own.
    let turn = 2 * number
    if let isRight {
      let step = promise.followResult(on: context) { [self] result in
        beginTurn(turn)
        guard !result.isCancelled else { return Promise(with: .cancelled, site: .library) }
        return whenUnblocked { [self] in
          guard result.value.map(isRight) ?? false else {
            return follow(number, result, generator, if: begins)
          }
          policy.budget?.recordSuccess()
          return Promise(with: result, site: .library)
        }
      }
      return waitForTurn(turn, of: step, after: promise, isNeededForValue: true)
    }
    var promise = promise
    if let budget = policy.budget {
      // A child ends with the retry, while the promise of an attempt may be any promise.
      promise = promise.makeChild()
      promise.hideInTrails()
      promise.whenResolvedOrUnneeded { if case .value = $0 { budget.recordSuccess() } }
    }
    let step = promise.followError(on: context) { [self] error in
      beginTurn(turn)
      return whenUnblocked { self.follow(number, .error(error), generator, if: begins) }
    }
    return waitForTurn(turn, of: step, after: promise, isNeededForValue: false)
  }

  /// Returns a promise for what follows an attempt that does not end the retry: the next attempt, or the result of the
  /// attempt if no attempt follows.
  private func follow(
    _ number: Int, _ result: PromiseResult<Value, Failure>, _ generator: Generator,
    if begins: @escaping @Sendable (Int) -> Bool
  ) -> Promise<Value, Failure> {
    var generator = generator
    guard let (wait, retry) = policy.delay(after: number, result.error, elapsed: elapsed, using: &generator) else {
      return Promise(with: result, site: .library)
    }
    let next = generator
    guard wait > .zero else {
      if !number.isMultiple(of: Self.attemptsInARow) { return run(number + 1, next, retry, if: begins) }
      // After many attempts in a row, the next attempt begins only after this call has returned, because the code that
      // follows this call may cancel the retry.
      let now = Promise<Void, Failure>(with: .value(()), site: site, by: .nextAttempt)
      let step = now.transformValue(on: turnContext, token: nil) { [self] in
        beginTurn(2 * number + 1)
        return .promise(whenUnblocked { self.run(number + 1, next, retry, if: begins) })
      }
      return waitForTurn(2 * number + 1, of: step, after: now, isNeededForValue: false)
    }
    // The next step needs no hop. If the delay ends after this call, the step runs on the context, because the delay
    // ends there. If the delay has already ended, the step runs inside this call, and this call is made on the context.
    return Promise<Void, Failure>(
      on: context, with: .value(()), after: wait, clock: clock, at: site, by: .nextAttempt
    )
    .transformValue(on: .immediate, token: nil) { [self] in
      .promise(
        whenUnblocked {
          self.policy.allowsAttempt(elapsed: self.elapsed)
            ? self.run(number + 1, next, retry, if: begins) : Promise(with: result, site: .library)
        })
    }
  }

  // MARK: Requests to cancel

  /// Whether the steps that follow the attempts wait for their turn on a context.
  private var hasTurns: Bool { !context.later.isNow }

  /// Makes a request to cancel end a step that waits for its turn. Returns the promise of the step.
  ///
  /// - Parameter number: The number of the step. The step may have begun, and later steps may wait already.
  private func waitForTurn<Input>(
    _ number: Int, of step: Promise<Value, Failure>, after source: Promise<Input, Failure>, isNeededForValue: Bool
  ) -> Promise<Value, Failure> {
    if !hasTurns || UntypedPromise(step).isResolved { return step }
    let new = TurnOfStep(of: step, after: source, isNeededForValue: isNeededForValue)
    let (old, isAsked) = turn.withLock { turn in
      guard number > turn.begun else { return (TurnOfStep?.none, false) }
      defer { turn.step = turn.isAsked ? nil : new }
      return (turn.step, turn.isAsked)
    }
    withExtendedLifetime(old) {}
    if isAsked { new.end() }
    return step
  }

  /// Records that a step has begun.
  private func beginTurn(_ number: Int) {
    guard hasTurns else { return }
    let step = turn.withLock { turn in
      turn.begun = number
      return turn.step.take()
    }
    withExtendedLifetime(step) {}
  }

  /// Ends the step that waits for its turn, because the retry was asked to cancel.
  private func endTurn() {
    let step = turn.withLock { turn in
      turn.isAsked = true
      return turn.step.take()
    }
    step?.end()
  }

  /// Calls a closure on the context when no pause is suspended.
  private func whenUnblocked(_ body: @escaping @Sendable () -> Promise<Value, Failure>) -> Promise<Value, Failure> {
    HeldWork.whenUnblocked(pauses, on: context, body)
  }
}
