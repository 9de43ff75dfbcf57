import Overmorrow

/// The ways to delay a result.
enum DelayForm: CaseIterable {
  /// `delay`, applied to a resolved promise.
  case delay
  /// The initialiser with `with:`.
  case with
  /// The initialiser with `fulfilled:` or `rejected:`.
  case fulfilledOrRejected

  func make<C: Clock>(
    _ result: PromiseResult<Int, Flaw> = .value(1), on context: PromiseContext, _ delay: Duration, clock: C
  ) -> Promise<Int, Flaw> where C.Duration == Duration {
    switch (self, result) {
    case (.delay, _): Promise(with: result).delay(on: context, delay, clock: clock)
    case (.fulfilledOrRejected, .value(let value)): Promise(on: context, fulfilled: value, after: delay, clock: clock)
    case (.fulfilledOrRejected, .error(let error)): Promise(on: context, rejected: error, after: delay, clock: clock)
    case (.fulfilledOrRejected, .cancelled), (.with, _): Promise(on: context, with: result, after: delay, clock: clock)
    }
  }
}
