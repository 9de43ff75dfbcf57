public import Foundation

/// An error with which this module itself rejects a promise.
public enum PromiseError: Error, LocalizedError {
  /// The step exceeded its time limit.
  case timedOut
  /// All promises were rejected, with these errors.
  case aggregate([any Error])
  /// The chain was cancelled.
  case cancelled
  /// There was no promise to wait for.
  case empty

  /// A description of the error.
  public var errorDescription: String? {
    switch self {
    case .timedOut: "The promise timed out."
    case .aggregate: "All promises were rejected."
    case .cancelled: "The promise was cancelled."
    case .empty: "There are no promises to wait for."
    }
  }
}
