/// The type and the description of an error, by which the diagnostics recognise the error. No error is kept for this.
package struct ErrorText: Sendable, Equatable {
  private let type: String
  /// The beginning of the description, because descriptions are kept and may be long. The whole description is made
  /// first, because the code of the error returns it in one piece.
  private let text: String

  /// The largest number of characters of a description that are compared.
  private static var limit: Int { 300 }

  package init(_ error: Any) {
    type = "\(Swift.type(of: error))"
    text = String("\(error)".prefix(Self.limit))
  }
}
