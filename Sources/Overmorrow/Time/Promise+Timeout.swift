public import OvermorrowEngine

extension Promise {
  /// Returns a promise with the same result, or with a timeout error if there is no result within a limit.
  ///
  /// ```swift
  /// fetchPage()
  ///   .timeout(.seconds(3600))
  ///   .then { show($0) }
  ///   .catch { error in
  ///     switch error {
  ///     case .timedOut: show("The server does not answer.")
  ///     case .rejected(let fault): show("The server says: \(fault)")
  ///     }
  ///   }
  /// ```
  ///
  /// - Fulfils: as this promise, if this promise is fulfilled before the deadline.
  /// - Fails: with `.rejected(error)` if this promise is rejected before the deadline, and with `.timedOut` if this
  ///   promise is unresolved at the deadline. A timeout withdraws one vote on this promise.
  /// - Cancels: as this promise, if this promise is cancelled before the deadline.
  /// - Runs on: `context`. The returned promise is resolved there. A result that arrives before the deadline counts,
  ///   even if `context` delivers the result after the deadline. If `duration` is zero or less and this promise is
  ///   unresolved, the returned promise times out at once on `.immediate` and `.nowOr`, inside this call. On another
  ///   context, the timeout waits for its turn. A result that arrives before that turn counts.
  /// - Parameters:
  ///   - context: The context on which the returned promise is resolved. If this promise is resolved, the default,
  ///     `.nowOr(.auto)`, resolves the returned promise inside this call.
  ///   - duration: The limit, counted from this call.
  ///   - clock: The clock that measures the limit. The continuous clock by default.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise<Value, PromiseTimeoutError<Failure>> {
    let promise = observe(TimeoutStep<Value, Failure>.self, on: context, gate: nil, ())
    limit(promise, to: duration, on: context, clock: clock, .timedOut)
    return promise
  }

  /// Rejects a child of this promise if this promise has not resolved after a delay. The child's step must have no
  /// callback.
  fileprivate func limit<E>(
    _ child: Promise<Value, E>, to delay: Duration, on context: PromiseContext, clock: any Clock<Duration>, _ error: E
  ) {
    if isResolved { return }
    let child = WaitingStep(child)
    let source = WeakResult(self)
    if delay <= .zero {
      if context.isNow { return child.rejectBeforeSource(with: error) }
      // This turn is the deadline, so a result that arrives before the turn counts.
      return child.rejectBeforeSource(with: error, on: context, unless: source)
    }
    let place = context.afterTimer(on: clock)
    if place.reserves { return limit(child, to: delay, reservedOn: place, clock: clock, error) }
    let watch = WaitingSteps()
    let timer = Timer(after: delay, on: clock) {
      // A result that arrived before the deadline counts, even if `context` has not delivered the result yet.
      guard !source.isResolved else { return }
      watch.dropWaiting()
      child.rejectBeforeSource(with: error, on: place)
    }
    stop(timer, with: watch)
  }

  /// Cancels a timer when this promise resolves or `watch` ends, so that the timer does not retain its action for
  /// longer.
  private func stop(_ timer: Timer, with watch: WaitingSteps, taking flag: OnceFlag? = nil) {
    let step = observe(
      ReportStep<Value, Failure, LibraryPart>.self, on: .immediate, gate: nil,
      .init { [cancel = OneCall(atLatest: { timer.cancel() })] _ in
        // The flag is taken first, because cancelling the timer may give up the reservation. The executor then drops
        // the ending, and the dropped ending must not cancel the child.
        _ = flag?.take()
        cancel()
      })
    watch.add(step.handle)
  }

  /// Rejects a child of this promise if this promise has not resolved after a delay. The executor of `place` accepts
  /// the rejection in this call, and runs the rejection at the deadline.
  private func limit<E>(
    _ child: WaitingStep<Value, E>, to delay: Duration, reservedOn place: PromiseContext, clock: any Clock<Duration>,
    _ error: E
  ) {
    let source = WeakResult(self)
    // Only the executor retains the ending. If the executor drops the ending, the child is cancelled.
    let (flag, watch) = (OnceFlag(), WaitingSteps())
    let reserved = place.reserve { [ending = child.rejection(with: error, sharing: flag), end = watch.atEnd] in
      withExtendedLifetime(end) { ending() }
    }
    guard let begin = reserved else { return }
    let timer = Timer(after: delay, on: clock) {
      if source.isResolved { _ = flag.take() } else { begin() }
    }
    stop(timer, with: watch, taking: flag)
  }
}

extension Promise where Failure == any Error {
  /// Returns a promise with the same result, or with a timeout error if there is no result within a limit.
  ///
  /// - Fulfils: as this promise, if this promise is fulfilled before the deadline.
  /// - Fails: with the error of this promise if this promise is rejected before the deadline, and with
  ///   `PromiseTimeoutError<any Error>.timedOut` if this promise is unresolved at the deadline. A timeout withdraws one
  ///   vote on this promise.
  /// - Cancels: as this promise, if this promise is cancelled before the deadline.
  /// - Runs on: `context`. The returned promise is resolved there. A result that arrives before the deadline counts,
  ///   even if `context` delivers the result after the deadline. If `duration` is zero or less and this promise is
  ///   unresolved, the returned promise times out at once on `.immediate` and `.nowOr`, inside this call. On another
  ///   context, the timeout waits for its turn. A result that arrives before that turn counts.
  /// - Parameters:
  ///   - context: The context on which the returned promise is resolved. If this promise is resolved, the default,
  ///     `.nowOr(.auto)`, resolves the returned promise inside this call.
  ///   - duration: The limit, counted from this call.
  ///   - clock: The clock that measures the limit. The continuous clock by default.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise {
    let promise = observe(FollowStep<Value, Failure, HopPart>.self, on: context, gate: nil, ())
    limit(promise, to: duration, on: context, clock: clock, PromiseTimeoutError<any Error>.timedOut)
    return promise
  }
}

/// A step that forwards the result and wraps an error. The step runs on the context of the timeout.
@usableFromInline
enum TimeoutStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything, .handlesNoError, .resolvesBeforeSource] }

  @inlinable
  static func run(
    _ callback: Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, PromiseTimeoutError<Failure>> {
    .result(forward(input))
  }

  @inlinable
  static func forward(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, PromiseTimeoutError<Failure>> {
    switch input {
    case .value(let value): .value(value)
    case .error(let error): .error(.rejected(error))
    case .cancelled: .cancelled
    }
  }
}

/// The participation of a step that has one vote and hops to its context, but has no callback. A timeout may end the
/// step before the source of the step resolves.
enum HopPart: Participation {
  static var traits: Traits { [.takesPart, .onAnything, .handlesNoError, .resolvesBeforeSource] }
}
