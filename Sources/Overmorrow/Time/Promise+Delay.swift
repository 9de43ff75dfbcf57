extension Promise {
  /// A new promise with the same result, but later.
  ///
  /// - Fulfils, fails, cancels: as this promise, the delay after it has resolved. A request to cancel goes to this
  ///   promise; if this promise is cancelled then, that is passed on without delay.
  /// - Runs on: `context`, where the promise returned is resolved.
  /// - Parameters:
  ///   - context: By default `.main` if this is called on the main queue, else `.default`.
  ///   - duration: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public func delay<C: Clock>(
    on context: PromiseContext = .auto, _ duration: Duration, clock: C = ContinuousClock()
  ) -> Promise where C.Duration == Duration {
    flatMapResult(on: .immediate) { result in
      let delayed = Promise(on: context, with: result, after: duration, clock: clock)
      // A value or an error that is there already is not lost by a request that comes too late.
      return result.isCancelled ? delayed : delayed.ignoringCancel()
    }
  }
}
