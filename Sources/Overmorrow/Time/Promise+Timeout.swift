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
  @inlinable
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise<Value, PromiseTimeoutError<Failure>> {
    let promise = observe(TimeoutStep<Value, Failure>.self, on: context, gate: nil, ())
    handle.limit(promise.handle, to: duration, on: context, clock: clock) { step, isDropped in
      step.end(with: isDropped ? nil : PromiseTimeoutError<Failure>.timedOut)
    }
    return promise
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
  @inlinable
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise {
    let promise = observe(FollowStep<Value, Failure, HopPart>.self, on: context, gate: nil, ())
    handle.limit(promise.handle, to: duration, on: context, clock: clock) { step, isDropped in
      step.end(with: isDropped ? nil : PromiseTimeoutError<any Error>.timedOut as any Error)
    }
    return promise
  }
}

extension PromiseHandle {
  /// Rejects a child of this promise if this promise has not resolved after a delay. The child's step must have no
  /// callback.
  @usableFromInline
  func limit(
    _ child: PromiseHandle, to delay: Duration, on context: PromiseContext, clock: any Clock<Duration>,
    _ rejection: @escaping WaitingStep.Rejection
  ) {
    if core.outcome != nil { return }
    let child = WaitingStep(child, rejection)
    if delay <= .zero {
      if context.isNow { return child.rejectBeforeSource() }
      // This turn is the deadline, so a result that arrives before the turn counts.
      return child.rejectBeforeSource(on: context, unless: WeakResult(self))
    }
    let place = context.afterTimer(on: clock)
    if place.reserves { return limit(child, to: delay, reservedOn: place, clock: clock) }
    let limit = TimeLimit(of: self)
    limit.set(
      Timer(after: delay, on: clock) {
        // A result that arrived before the deadline counts, even if `context` has not delivered the result yet.
        guard limit.isSourceUnresolved else { return }
        limit.stop()
        child.rejectBeforeSource(on: place)
      })
  }

  /// Rejects a child of this promise if this promise has not resolved after a delay. The executor of `place` accepts
  /// the rejection in this call, and runs the rejection at the deadline.
  private func limit(
    _ child: WaitingStep, to delay: Duration, reservedOn place: PromiseContext, clock: any Clock<Duration>
  ) {
    let source = WeakResult(self)
    let flag = OnceFlag()
    let limit = TimeLimit(of: self, taking: flag)
    // Only the executor retains the ending. If the executor drops the ending, the child is cancelled.
    let reserved = place.reserve {
      [ending = child.makeRejection(sharing: flag), end = OneCall(atLatest: { limit.stop() })] in
      withExtendedLifetime(end) { ending() }
    }
    guard let begin = reserved else { return limit.stop() }
    limit.set(
      Timer(after: delay, on: clock) {
        if source.isResolved { _ = flag.take() } else { begin() }
      })
  }
}

/// A step that forwards the result and wraps an error. The step runs on the context of the timeout.
@usableFromInline
enum TimeoutStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything, .handlesNoError, .resolvesBeforeSource] }

  @inlinable
  static func run(
    _ callback: Void, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<Value, PromiseTimeoutError<Failure>> {
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
@usableFromInline
enum HopPart: Participation {
  @inlinable static var traits: Traits { [.takesPart, .onAnything, .handlesNoError, .resolvesBeforeSource] }
}
