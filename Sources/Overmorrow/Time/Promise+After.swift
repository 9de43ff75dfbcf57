extension Promise {
  /// A promise that is fulfilled after a while, and cancelled at once when that is asked for.
  ///
  /// - Parameters:
  ///   - context: Where it is fulfilled; by default `.main` if this is called on the main queue, else `.default`.
  ///   - value: What it is fulfilled with.
  ///   - delay: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public init<C: Clock>(
    on context: PromiseContext = .auto, fulfilled value: Value, after delay: Duration, clock: C = ContinuousClock()
  )
  where C.Duration == Duration {
    self.init(on: context, with: .value(value), after: delay, clock: clock)
  }

  /// A promise that is rejected after a while, and cancelled at once when that is asked for.
  ///
  /// - Parameters:
  ///   - context: Where it is rejected; by default `.main` if this is called on the main queue, else `.default`.
  ///   - error: What it is rejected with.
  ///   - delay: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public init<C: Clock>(
    on context: PromiseContext = .auto, rejected error: Failure, after delay: Duration, clock: C = ContinuousClock()
  )
  where C.Duration == Duration {
    self.init(on: context, with: .error(error), after: delay, clock: clock)
  }

  /// A promise that is resolved after a while, and cancelled at once when that is asked for.
  ///
  /// - Parameters:
  ///   - context: Where it is resolved; by default `.main` if this is called on the main queue, else `.default`.
  ///   - result: What it is resolved to.
  ///   - delay: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public init<C: Clock>(
    on context: PromiseContext = .auto, with result: PromiseResult<Value, Failure>, after delay: Duration,
    clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    let (promise, resolver) = Promise.makeWithResolver()
    let place = context.afterTimer(on: clock)
    let timer: Timer
    if let slot = place.reserve({ resolver.resolve(with: result) }) {
      timer = Timer(after: delay, on: clock) { slot.begin() }
      // The executor may drop the work long before its time: then there is nothing left to wait for.
      _ = promise.tap(on: .immediate) { _ in timer.cancel() }
    } else {
      timer = Timer(after: delay, on: clock) {
        Pass.perform(on: place) { resolver.resolve(with: result) }
      }
    }
    resolver.onRequestCancelWhileKept({ resolver in
      timer.cancel()
      resolver.cancel()
    })
    self = promise
  }
}

extension PromiseContext {
  /// This context, for work that a timer starts: what would run right there goes to a queue, so that whatever it does
  /// keeps no other timer waiting. A clock that runs actions itself runs them in its own good time, and so these, too.
  func afterTimer(on clock: any Clock) -> PromiseContext {
    let later = self.later
    return later == .immediate && !(clock is any PromiseSchedulingClock) ? .userInteractive : later
  }
}
