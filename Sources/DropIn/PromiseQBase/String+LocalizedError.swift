public import Foundation

extension String: @retroactive Error {}

/// A text can be thrown.
extension String: @retroactive LocalizedError {
  /// The text itself.
  public var errorDescription: String? { self }
}
