/// An error that is a text, for promises that fail in a test: `reject(with: "no")`.
public struct Flaw: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text.
  public let description: String

  /// An error with a text.
  public init(stringLiteral text: String) { description = text }
}
