package import Overmorrow

/// An error with only a message, for promises that fail in a test: `reject(with: "no")`.
public struct Flaw: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The message.
  public let description: String

  /// Creates an error with a message.
  public init(stringLiteral text: String) { description = text }
}

/// Errors that differ only in their case.
package enum Refusal: Int, Error, Codable {
  case first
  case second
  case third
}

/// An error with only a message that can be encoded and decoded.
package struct Reason: Error, Hashable, Codable, ExpressibleByStringLiteral {
  package let text: String

  package init(stringLiteral text: String) { self.text = text }
}

/// The errors of promises in cancellation tests.
package enum ProbeError: Error, Hashable {
  case failed
  case other
}

/// The three ways in which a promise can end.
package enum Ending: CaseIterable, Sendable {
  case value
  case error
  case cancelled

  /// Returns the result for this ending, with the given value or error.
  package func result<Value, Failure>(_ value: Value, _ error: Failure) -> PromiseResult<Value, Failure> {
    switch self {
    case .value: .value(value)
    case .error: .error(error)
    case .cancelled: .cancelled
    }
  }
}
