public import Foundation

/// An error with which this module itself rejects a promise.
public enum PMKError: Error, @unchecked Sendable {
  // Sendable because promises pass an error from one thread to the next, as they pass a value.

  /// A completion handler was called with neither a value nor an error.
  case invalidCallingConvention
  /// A closure returned the promise of its own step.
  case returnedSelf
  /// A combinator was given no input, or a limit of zero or less for the number of pending inputs.
  case badInput
  /// The work was cancelled.
  case cancelled
  /// The closure of `flatMap` returned `nil`.
  @available(*, deprecated, message: "See: `compactMap`") case flatMap(Any, Any.Type)
  /// The closure of `compactMap` returned `nil`. This case contains the argument of the closure and the type of the
  /// value that the closure should have returned.
  case compactMap(Any, Any.Type)
  /// The sequence does not contain the element that the operator should have returned.
  case emptySequence
  /// None of several promises was fulfilled.
  case noWinner
}

extension PMKError: CustomDebugStringConvertible {
  /// A description of the error.
  public var debugDescription: String {
    switch self {
    case .invalidCallingConvention: "A completion handler was called with neither a value nor an error"
    case .returnedSelf: "A closure returned the promise of its own step"
    case .badInput: "There are no inputs, or the limit for pending inputs is not positive"
    case .cancelled: "The operation was cancelled"
    case .flatMap(let value, let type), .compactMap(let value, let type): "No \(type) could be made of \(value)"
    case .emptySequence: "The sequence has no such element"
    case .noWinner: "All thenables passed to race(fulfilled:) were rejected"
    }
  }
}

extension PMKError: LocalizedError {
  /// A description of the error.
  public var errorDescription: String? { debugDescription }
}

/// An error that may stand for cancellation.
public protocol CancellableError: Error {
  /// Whether the error stands for cancellation.
  var isCancelled: Bool { get }
}

extension Error {
  /// Whether the error stands for cancellation. Under the default policy, `catch` and `recover` ignore such an error.
  public var isCancelled: Bool {
    if case PMKError.cancelled? = self as? PMKError { return true }
    if let error = self as? any CancellableError { return error.isCancelled }
    if (self as? URLError)?.code == .cancelled || (self as? CocoaError)?.code == .userCancelled { return true }
    #if canImport(Darwin)
      let error = self as NSError
      return error.domain == "SKErrorDomain" && error.code == 2
    #else
      return false
    #endif
  }
}
