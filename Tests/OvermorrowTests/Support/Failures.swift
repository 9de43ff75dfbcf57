import Overmorrow

/// Errors to be told apart.
enum Refusal: Int, Error, Codable {
  case first
  case second
  case third
}

/// A failure that is no `Error`: it selects the operators' plain forms, which cannot throw.
struct Reason: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
  let text: String

  init(stringLiteral text: String) { self.text = text }
}

/// The three ways in which a promise can end.
enum Ending: CaseIterable, Sendable {
  case value
  case error
  case cancelled

  /// This ending, with this value or this error.
  func result<Value, Failure>(_ value: Value, _ error: Failure) -> PromiseResult<Value, Failure> {
    switch self {
    case .value: .value(value)
    case .error: .error(error)
    case .cancelled: .cancelled
    }
  }
}
