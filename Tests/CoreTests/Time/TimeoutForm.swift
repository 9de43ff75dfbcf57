import Overmorrow

/// The two forms of `timeout`, converted to results that can be compared.
enum TimeoutForm: CaseIterable {
  /// `Failure` becomes `PromiseTimeoutError<Failure>`.
  case wrapping
  /// `any Error` stays `any Error`.
  case anyError

  typealias Probe = CancelProbe<Int, any Error>
  typealias Limited = Promise<Int, PromiseTimeoutError<Flaw>>

  /// Applies the timeout, and converts its error.
  func limit<C: Clock>(
    _ promise: Promise<Int, any Error>, on context: PromiseContext, _ delay: Duration, clock: C
  ) -> Limited where C.Duration == Duration {
    switch self {
    case .wrapping:
      let limited: Promise<Int, PromiseTimeoutError<any Error>> = promise.timeout(
        on: context, delay, clock: clock)
      return limited.mapError(on: .immediate) { error in
        switch error {
        case .timedOut: .timedOut
        case .rejected(let error): .rejected("\(error)")
        }
      }
    case .anyError:
      let limited: Promise<Int, any Error> = promise.timeout(on: context, delay, clock: clock)
      return limited.mapError(on: .immediate) { error in
        if case .timedOut? = error as? PromiseTimeoutError<any Error> { return .timedOut }
        return .rejected(error is ProbeError ? "\(error)" : "wrapped: \(error)")
      }
    }
  }
}
