/// An error with only a message: `reject(with: "no")`.
struct Flaw: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  let description: String

  init(stringLiteral text: String) { description = text }
}
