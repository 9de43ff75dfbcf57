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

  /// A description of the error, in the words of the original library. Programs compare these words.
  public var errorDescription: String? {
    switch self {
    case .timedOut: "The Promise timed out."
    case .aggregate: "All Promises rejected."
    case .cancelled: "The Promise cancelled."
    case .empty: "The Promises empty."
    }
  }
}
