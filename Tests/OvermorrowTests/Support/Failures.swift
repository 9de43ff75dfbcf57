import Overmorrow

/// Errors to be told apart.
enum Refusal: Int, Error, Codable {
  case first
  case second
  case third
}

/// An error that is a text, and can be coded.
struct Reason: Error, Hashable, Codable, ExpressibleByStringLiteral {
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
