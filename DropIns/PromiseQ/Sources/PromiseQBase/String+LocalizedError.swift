public import Foundation

// Code for the original library throws strings.
// swift-format-ignore: AvoidRetroactiveConformances
extension String: @retroactive Error {}

// swift-format-ignore: AvoidRetroactiveConformances
/// Allows a string to be thrown.
extension String: @retroactive LocalizedError {
  /// The string itself.
  public var errorDescription: String? { self }
}
