public import Foundation

/// Why a promise is rejected by this module itself.
public enum PromiseError: Error, LocalizedError {
  /// It took too long.
  case timedOut
  /// No promise was fulfilled: the errors of all of them.
  case aggregate([any Error])
  /// The chain was cancelled.
  case cancelled
  /// There was no promise to wait for.
  case empty

  /// The error in words.
  public var errorDescription: String? {
    switch self {
    case .timedOut: "The Promise timed out."
    case .aggregate: "All Promises rejected."
    case .cancelled: "The Promise cancelled."
    case .empty: "The Promises empty."
    }
  }
}
