/// An error that is a text: `reject(with: "no")`.
struct Flaw: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  let description: String

  init(stringLiteral text: String) { description = text }
}
