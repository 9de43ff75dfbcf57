/// An error that is a text, for promises that fail in a test: `reject(with: "no")`.
public struct Flaw: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  public let description: String

  public init(stringLiteral text: String) { description = text }
}
