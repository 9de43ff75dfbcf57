package import Overmorrow

/// An error that is a text, for promises that fail in a test: `reject(with: "no")`.
public struct Flaw: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text.
  public let description: String

  /// An error with a text.
  public init(stringLiteral text: String) { description = text }
}

/// Errors to be told apart.
package enum Refusal: Int, Error, Codable {
  case first
  case second
  case third
}

/// An error that is a text, and can be coded.
package struct Reason: Error, Hashable, Codable, ExpressibleByStringLiteral {
  package let text: String

  package init(stringLiteral text: String) { self.text = text }
}

/// How the promises of a cancellation test fail.
package enum ProbeError: Error, Hashable {
  case failed
  case other
}

/// The three ways in which a promise can end.
package enum Ending: CaseIterable, Sendable {
  case value
  case error
  case cancelled

  /// This ending, with this value or this error.
  package func result<Value, Failure>(_ value: Value, _ error: Failure) -> PromiseResult<Value, Failure> {
    switch self {
    case .value: .value(value)
    case .error: .error(error)
    case .cancelled: .cancelled
    }
  }
}
