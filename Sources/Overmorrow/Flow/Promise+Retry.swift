extension Promise {
  /// A promise for the first success of several attempts.
  ///
  /// ```swift
  /// let policy = PromiseRetryPolicy<any Error>(attempts: 4, backoff: .exponential(.milliseconds(200)))
  /// let page = Promise.retry(policy, on: .utility) { _ in fetchPage() }
  /// ```
  ///
  /// - Fulfils: as the first attempt that does, without a hop.
  /// - Fails: with the error of the last attempt, when the policy wants no other.
  /// - Cancels: as the first attempt that does. A request to cancel ends a wait at once, and counts as one child's
  ///   request on the attempt that is on its way; no attempt begins after it.
  /// - Pauses: while a ``PromisePause`` that `context` is under is suspended, no attempt begins; a wait goes on.
  /// - Runs on: `context`; `attempt` and the closures of the policy. With `.immediate` or `.nowOr`, the first attempt
  ///   begins during this call.
  /// - Order: an attempt begins after the one before has failed. Any number of them can be made, on any stack. After a
  ///   thousand without a wait, the next has a turn of its own; for `.immediate`, on a global queue.
  /// - Parameters:
  ///   - policy: How often to try, after which errors, and how long to wait in between.
  ///   - context: Where attempts begin.
  ///   - clock: What measures the waits and the policy's deadline.
  ///   - generator: Where the policy's jitter takes its random numbers from. Give a seeded one to have the same each
  ///     time.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - attempt: Begins an attempt. Called with its number, from 1 on.
  public static func retry(
    _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), on context: PromiseContext,
    clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line,
    _ attempt: @escaping @Sendable (_ number: Int) -> Promise
  ) -> Promise {
    Retry(policy, on: context, clock: clock, at: CallSite(fileID, line), attempt).start(generator)
  }

  /// A promise for the first success of several attempts, which begin where the closure belongs.
  ///
  /// Behaves as ``retry(_:on:clock:generator:fileID:line:_:)`` otherwise.
  ///
  /// - Runs on: the actor that `attempt` belongs to, or `.default` if it belongs to none; `attempt` and the closures of
  ///   the policy.
  /// - Parameters:
  ///   - policy: How often to try, after which errors, and how long to wait in between.
  ///   - clock: What measures the waits and the policy's deadline.
  ///   - generator: Where the policy's jitter takes its random numbers from.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - attempt: Begins an attempt. Called with its number, from 1 on.
  public static func retry(
    _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ attempt: @escaping @Sendable @isolated(any) (_ number: Int) -> Promise
  ) -> Promise {
    retry(
      policy, on: .here(attempt.isolation, otherwise: .default), clock: clock, generator: generator, fileID: fileID,
      line: line, Isolation.unchecked(attempt))
  }

  /// The same for the library's other modules, by the call that they were called by.
  package static func retry(
    _ policy: PromiseRetryPolicy<Failure>, on context: PromiseContext, clock: any Clock<Duration>, at site: CallSite,
    _ attempt: @escaping @Sendable (_ number: Int) -> Promise
  ) -> Promise {
    Retry(policy, on: context, clock: clock, at: site, attempt).start(SystemRandomNumberGenerator())
  }
}

extension Promise where Failure: Error {
  /// A promise for the first success of several attempts of an async closure.
  ///
  /// ```swift
  /// let page = Promise.retry(PromiseRetryPolicy(attempts: 4)) { _ in
  ///   try await service.page()
  /// }
  /// ```
  ///
  /// Each attempt is a task of its own; a request to cancel cancels the one that is running. An attempt that throws
  /// `CancellationError` cancels the promise, and is not repeated. Behaves as
  /// ``retry(_:on:clock:generator:fileID:line:_:)`` otherwise.
  ///
  /// - Runs on: the actor that `attempt` belongs to, or else the global executor. The closures of the policy run on
  ///   that actor, or else on `.default`.
  /// - Parameters:
  ///   - policy: How often to try, after which errors, and how long to wait in between.
  ///   - clock: What measures the waits and the policy's deadline.
  ///   - generator: Where the policy's jitter takes its random numbers from.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - attempt: An attempt. Called with its number, from 1 on.
  public static func retry(
    _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ attempt:
      @escaping @Sendable @isolated(any) (_ number: Int) async throws(Failure) -> Value
  ) -> Promise {
    let (priority, site) = (Task.currentPriority, CallSite(fileID, line))
    return retry(
      policy, on: .here(attempt.isolation, otherwise: .default), clock: clock, generator: generator, fileID: fileID,
      line: line
    ) { number in
      Promise(priority: priority, at: site) { () async throws(Failure) in try await attempt(number) }
    }
  }
}

/// What the attempts of one retry share.
private final class Retry<Value: Sendable, Failure: Sendable>: Sendable {
  typealias Generator = any RandomNumberGenerator & Sendable

  /// How many attempts may follow one another inside one call.
  private static var attemptsInARow: Int { 1000 }

  private let policy: PromiseRetryPolicy<Failure>
  private let context: PromiseContext
  /// What the context goes through.
  private let pause: PauseLine?
  private let clock: any Clock<Duration>
  /// Where attempts have turns of their own.
  private var turns: PromiseContext { context.later.isNow ? .default : context.later }
  /// Where the user has asked for the retry.
  private let site: CallSite
  private let attempt: @Sendable (Int) -> Promise<Value, Failure>
  private let elapsed: @Sendable () -> Duration

  init(
    _ policy: PromiseRetryPolicy<Failure>, on context: PromiseContext, clock: any Clock<Duration>, at site: CallSite,
    _ attempt: @escaping @Sendable (Int) -> Promise<Value, Failure>
  ) {
    self.policy = policy
    (pause, self.context) = context.behindPause
    self.clock = clock
    self.site = site
    self.attempt = attempt
    elapsed = clock.stopwatch()
  }

  func start(_ generator: Generator) -> Promise<Value, Failure> {
    let (promise, work) = HeldWork.make(on: context, at: site, by: .attempt) { [self] resolver in
      whenOpen { self.run(1, generator, unless: { resolver.hasRequestedCancel }) }
    }
    work.start()
    return promise
  }

  /// Begins an attempt; each further one is adopted by the promise of the one before, which then goes.
  private func run(
    _ number: Int, _ generator: Generator, unless isCancelled: @escaping @Sendable () -> Bool
  ) -> Promise<Value, Failure> {
    if isCancelled() { return Promise(with: .cancelled) }
    return attempt(number).flatMapError(on: context) { [self] error in
      whenOpen { self.goOn(after: number, error, generator, unless: isCancelled) }
    }
  }

  /// Decides after an attempt that has failed.
  private func goOn(
    after number: Int, _ error: Failure, _ generator: Generator, unless isCancelled: @escaping @Sendable () -> Bool
  ) -> Promise<Value, Failure> {
    var generator = generator
    guard let wait = policy.pause(after: number, error, elapsed: elapsed, using: &generator) else {
      return Promise(rejected: error)
    }
    let next = generator
    guard wait > .zero else {
      if !number.isMultiple(of: Self.attemptsInARow) { return run(number + 1, next, unless: isCancelled) }
      // The code that waits for this call to return may be the one that ends the retry.
      return Promise<Void, Failure>(with: .value(())).transformValue(on: turns, token: nil) { [self] in
        .promise(whenOpen { self.run(number + 1, next, unless: isCancelled) })
      }
    }
    // The wait ends on the context, or has ended while this code, which also runs there, registers the next step.
    return Promise<Void, Failure>(
      on: context, with: .value(()), after: wait, clock: clock, at: site, by: .nextAttempt
    )
    .transformValue(on: .immediate, token: nil) { [self] in
      .promise(
        whenOpen {
          self.policy.allowsAttempt(elapsed: self.elapsed)
            ? self.run(number + 1, next, unless: isCancelled) : Promise(rejected: error)
        })
    }
  }

  /// What a closure makes on the context, when the pause is open.
  private func whenOpen(_ body: @escaping @Sendable () -> Promise<Value, Failure>) -> Promise<Value, Failure> {
    pause?.whenOpen(on: context, body) ?? body()
  }
}
