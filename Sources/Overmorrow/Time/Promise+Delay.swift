extension Promise {
  /// A new promise with the same result, but later.
  ///
  /// - Fulfils, fails, cancels: as this promise, the delay after it has resolved. A request to cancel goes to this
  ///   promise; if this promise is cancelled then, that is passed on without delay.
  /// - Runs on: `context`, where the promise returned is resolved. An operation queue has its operation from this call
  ///   on.
  /// - Parameters:
  ///   - context: By default `.main` if this is called on the main queue, else `.default`, and so on `.immediate`,
  ///     unless the clock is a ``PromiseSchedulingClock``, which then does it itself.
  ///   - duration: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public func delay(
    on context: PromiseContext = .auto, _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise {
    let (delayed, resolver) = Promise.makeForLibrary(at: handle.core.site, by: .timer)
    let turn = DelayedTurn(of: resolver, at: context.afterDelay(on: clock))
    let steps = WaitingSteps(mayEndUnobserved: true)
    resolver.wait(through: steps)
    let begin = Reaction<PromiseResult<Value, Failure>> { result in
      steps.end()
      // A late request does not lose a value or an error that is already there.
      turn.begin(with: result, after: duration, clock: clock, yieldingToRequests: result.isCancelled)
    }
    let step = observe(ReportStep<Value, Failure, FullPart>.self, on: .immediate, gate: nil, begin)
    steps.add(step.handle)
    delayed.handle.core.setRank(beforeStep: step.handle.core)
    if turn.isReserved {
      // An executor that drops the turn before there is a result ends the wait for that.
      delayed.whenOver { result in
        if result.isCancelled { steps.requestCancel() }
        steps.end()
      }
    }
    return delayed
  }
}

/// Hands a result to what delays it, with the vote of the promise that is delayed.
///
/// This adopts nothing: a promise that adopts another one resolves where that one's result comes from.
