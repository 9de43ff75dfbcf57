/// How a promise with a timeout fails.
public enum PromiseTimeoutError<Failure>: Error {
  /// The time was up before there was a result.
  case timedOut
  /// The promise was rejected in time.
  case rejected(Failure)
}

extension PromiseTimeoutError: Sendable where Failure: Sendable {}
extension PromiseTimeoutError: Equatable where Failure: Equatable {}
extension PromiseTimeoutError: Hashable where Failure: Hashable {}

extension PromiseTimeoutError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .timedOut: "the promise timed out"
    case .rejected(let error): "\(error)"
    }
  }
}
