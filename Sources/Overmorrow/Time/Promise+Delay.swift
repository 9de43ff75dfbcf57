internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise {
  /// Returns a promise that is resolved with the same result after a delay.
  ///
  /// - Fulfils, fails, cancels: as this promise. The delay begins when this promise is resolved. A request to cancel
  ///   withdraws one vote on this promise. If this promise is cancelled, a request to cancel that was made before or
  ///   during the delay ends the delay at once.
  /// - Runs on: `context`. The returned promise is resolved there. If `context` is an operation queue, this call
  ///   enqueues an operation. The operation becomes ready after the delay.
  /// - Parameters:
  ///   - context: The context on which the returned promise is resolved. The default, `.auto`, is `.main` if this
  ///     method is called on the main queue, and otherwise `.default`. `.immediate` counts as `.auto`. With a
  ///     ``PromiseSchedulingClock``, however, `.immediate` resolves the promise inside the clock's action.
  ///   - duration: The delay. Zero or less means as soon as possible.
  ///   - clock: The clock that measures the delay. The continuous clock by default.
  public func delay(
    on context: PromiseContext = .auto, _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise {
    let (delayed, resolver) = Promise.makeForLibrary(at: handle.core.site, by: .timer)
    if let name = CoreNote.find(handle.core)?.name { delayed.named(name) }
    let turn = DelayedTurn(of: resolver, at: context.afterDelay(on: clock))
    let steps = WaitingSteps(mayEndUnobserved: true)
    resolver.wait(through: steps)
    let begin = Reaction<PromiseResult<Value, Failure>> { result in
      steps.dropWaiting()
      // A request to cancel that comes during the delay does not discard a value or an error.
      turn.begin(with: result, after: duration, clock: clock, yieldingToRequests: result.isCancelled)
    }
    let step = observe(ReportStep<Value, Failure, WithdrawableVote>.self, on: .immediate, gate: nil, begin)
    steps.add(step.handle)
    CoreNote.follower(of: delayed.handle.core)?.noteInput(handle.core)
    CoreNote.follower(of: step.handle.core)?.noteInternal()
    if turn.isReserved {
      // If the executor drops the turn before there is a result, the wait for the result ends.
      delayed.whenResolved { result in
        if result.isCancelled { steps.requestCancel() }
        steps.dropWaiting()
      }
    }
    return delayed
  }
}
