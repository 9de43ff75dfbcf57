/// The error of a promise with a timeout.
public enum PromiseTimeoutError<Failure>: Error {
  /// The promise had no result at the deadline.
  case timedOut
  /// The promise was rejected before the deadline.
  case rejected(Failure)
}

extension PromiseTimeoutError: Sendable where Failure: Sendable {}
extension PromiseTimeoutError: Equatable where Failure: Equatable {}
extension PromiseTimeoutError: Hashable where Failure: Hashable {}

extension PromiseTimeoutError: CustomStringConvertible {
  /// A description of the timeout, or the description of the wrapped error.
  public var description: String {
    switch self {
    case .timedOut: "the promise timed out"
    case .rejected(let error): "\(error)"
    }
  }
}
