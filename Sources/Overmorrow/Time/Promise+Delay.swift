extension Promise {
  /// A new promise with the same result, but later.
  ///
  /// - Fulfils, fails, cancels: as this promise, the delay after it has resolved. A request to cancel goes to this
  ///   promise; if this promise is cancelled then, that is passed on without delay.
  /// - Runs on: `context`, where the promise returned is resolved. An operation queue has its operation from this call on.
  /// - Parameters:
  ///   - context: By default `.main` if this is called on the main queue, else `.default`, and so on `.immediate`, unless
  ///     the clock is a ``PromiseSchedulingClock``, which then does it itself.
  ///   - duration: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public func delay<C: Clock>(
    on context: PromiseContext = .auto, _ duration: Duration, clock: C = ContinuousClock()
  ) -> Promise where C.Duration == Duration {
    let place = context.afterDelay(on: clock)
    if let turn = ReservedTurn<Value, Failure>(at: place) { return delay(duration, clock: clock, in: turn) }
    return flatMapResult(on: .immediate) { result in
      let delayed = Promise(with: result, after: duration, clock: clock, at: place)
      // A value or an error that is there already is not lost by a request that comes too late.
      return result.isCancelled ? delayed : delayed.ignoringCancel()
    }
  }

  /// The same in a place that the result has from now on.
  private func delay<C: Clock>(_ duration: Duration, clock: C, in turn: ReservedTurn<Value, Failure>) -> Promise
  where C.Duration == Duration {
    let promise = flatMapResult(on: .immediate) { result in
      turn.begin(with: result, after: duration, clock: clock)
      return result.isCancelled ? turn.promise : turn.promise.ignoringCancel()
    }
    // An executor that drops the work before there is a result ends the wait for that.
    let step = WeakCore(promise.handle)
    _ = turn.promise.tap(on: .immediate) { if $0.isCancelled { step.endWaiting() } }
    return promise
  }
}
