public import Foundation

// The code that this module is for throws texts.
// swift-format-ignore: AvoidRetroactiveConformances
extension String: @retroactive Error {}

// swift-format-ignore: AvoidRetroactiveConformances
/// A text can be thrown.
extension String: @retroactive LocalizedError {
  /// The text itself.
  public var errorDescription: String? { self }
}
