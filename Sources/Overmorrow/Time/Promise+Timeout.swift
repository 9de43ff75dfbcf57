extension Promise {
  /// A promise with the same result, unless that takes too long.
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
  /// - Fulfils: as this promise, if it does so in time.
  /// - Fails: with `.rejected(error)` if this promise fails in time, with `.timedOut` if it does nothing in time. It is
  ///   then asked to cancel, as by one child.
  /// - Cancels: as this promise, if it does so in time.
  /// - Runs on: `context`, where the promise returned is resolved. A result that is there before the deadline counts,
  ///   even if the context is busy beyond it. With a delay of zero or less, a promise that is not resolved yet times
  ///   out during this call on `.immediate` and `.nowOr`, and when its turn comes, if there is no result by then, on
  ///   others.
  /// - Parameters:
  ///   - context: By default `.nowOr(.auto)`: if this promise is resolved, so is the one returned.
  ///   - duration: How long to wait.
  ///   - clock: What measures the delay.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise<Value, PromiseTimeoutError<Failure>> {
    let promise = observe(TimeoutStep<Value, Failure>.self, on: context, gate: nil, ())
    limit(promise, to: duration, on: context, clock: clock, .timedOut)
    return promise
  }

  /// Rejects a child of this promise, whose step has no callback, unless this promise resolves in time.
  fileprivate func limit<E>(
    _ child: Promise<Value, E>, to delay: Duration, on context: PromiseContext, clock: any Clock<Duration>, _ error: E
  ) {
    if isResolved { return }
    let child = WaitingStep(child)
    let source = WeakResult(self)
    if delay <= .zero {
      if context.isNow { return child.end(with: error) }
      // Decided when its turn comes: a result that is there by then counts.
      return child.end(with: error, on: context, unless: source)
    }
    let place = context.afterTimer(on: clock)
    if place.reserves { return limit(child, to: delay, reservedOn: place, clock: clock, error) }
    let watch = WaitingSteps()
    let timer = Timer(after: delay, on: clock) {
      // Decided now: a result that has arrived counts, even if `context` has not got round to it.
      guard !source.isResolved else { return }
      watch.end()
      child.end(with: error, on: place)
    }
    stop(timer, with: watch)
  }

  /// Cancels a timer when this promise resolves, or `watch` ends, so that nothing of it stays.
  private func stop(_ timer: Timer, with watch: WaitingSteps, taking right: OnceFlag? = nil) {
    let step = observe(
      ReportStep<Value, Failure, LibraryPart>.self, on: .immediate, gate: nil,
      .init { [cancel = OneCall(atLatest: { timer.cancel() })] _ in
        // First, as the timer may give up a reservation, and the ending that goes with it must not cancel the child.
        _ = right?.take()
        cancel()
      })
    watch.add(step.handle)
  }

  /// The same on a place that takes the rejection now, for when its time has come.
  private func limit<E>(
    _ child: WaitingStep<Value, E>, to delay: Duration, reservedOn place: PromiseContext, clock: any Clock<Duration>,
    _ error: E
  ) {
    let source = WeakResult(self)
    // Only the executor has the ending: when it drops that, the child is cancelled.
    let (right, watch) = (OnceFlag(), WaitingSteps())
    let reserved = place.reserve { [ending = child.ending(with: error, holding: right), end = watch.atEnd] in
      withExtendedLifetime(end) { ending() }
    }
    guard let begin = reserved else { return }
    let timer = Timer(after: delay, on: clock) {
      if source.isResolved { _ = right.take() } else { begin() }
    }
    stop(timer, with: watch, taking: right)
  }
}

extension Promise where Failure == any Error {
  /// A promise with the same result, unless that takes too long.
  ///
  /// - Fulfils: as this promise, if it does so in time.
  /// - Fails: with this promise's error if it fails in time, with `PromiseTimeoutError<any Error>.timedOut` if it does
  ///   nothing in time. It is then asked to cancel, as by one child.
  /// - Cancels: as this promise, if it does so in time.
  /// - Runs on: `context`, where the promise returned is resolved. A result that is there before the deadline counts,
  ///   even if the context is busy beyond it. With a delay of zero or less, a promise that is not resolved yet times
  ///   out during this call on `.immediate` and `.nowOr`, and when its turn comes, if there is no result by then, on
  ///   others.
  /// - Parameters:
  ///   - context: By default `.nowOr(.auto)`: if this promise is resolved, so is the one returned.
  ///   - duration: How long to wait.
  ///   - clock: What measures the delay.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise {
    let promise = observe(FollowStep<Value, Failure, HopPart>.self, on: context, gate: nil, ())
    limit(promise, to: duration, on: context, clock: clock, PromiseTimeoutError<any Error>.timedOut)
    return promise
  }
}

/// Passes a result on, on a context, with its error wrapped.
@usableFromInline
enum TimeoutStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything, .passesOn, .endsFromOutside] }

  @inlinable
  static func run(
    _ callback: Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, PromiseTimeoutError<Failure>> {
    .result(pass(input))
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, PromiseTimeoutError<Failure>> {
    switch input {
    case .value(let value): .value(value)
    case .error(let error): .error(.rejected(error))
    case .cancelled: .cancelled
    }
  }
}

/// One vote; no callback on its context; may be ended from elsewhere.
enum HopPart: Participation {
  static var traits: Traits { [.takesPart, .onAnything, .passesOn, .endsFromOutside] }
}
