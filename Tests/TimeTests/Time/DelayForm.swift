import Overmorrow

/// The ways to have a result after a delay.
enum DelayForm: CaseIterable {
  /// `delay` of a promise that has the result.
  case delay
  /// A delayed promise `with:` a result.
  case with
  /// A delayed promise that says `fulfilled:` or `rejected:`.
  case inWords

  func make<C: Clock>(
    _ result: PromiseResult<Int, Flaw> = .value(1), on context: PromiseContext, _ delay: Duration, clock: C
  ) -> Promise<Int, Flaw> where C.Duration == Duration {
    switch (self, result) {
    case (.delay, _): Promise(with: result).delay(on: context, delay, clock: clock)
    case (.inWords, .value(let value)): Promise(on: context, fulfilled: value, after: delay, clock: clock)
    case (.inWords, .error(let error)): Promise(on: context, rejected: error, after: delay, clock: clock)
    case (.inWords, .cancelled), (.with, _): Promise(on: context, with: result, after: delay, clock: clock)
    }
  }
}
