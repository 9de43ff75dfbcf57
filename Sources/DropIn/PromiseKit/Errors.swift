public import Foundation

/// Why a promise is rejected by this module itself.
public enum PMKError: Error, @unchecked Sendable {
  // Sendable: a value on its way, as those of the promises.

  /// A completion handler was called with neither a value nor an error.
  case invalidCallingConvention
  /// A closure returned the promise that was made of it.
  case returnedSelf
  /// There is nothing to wait for, or too little room to do it.
  case badInput
  /// It was cancelled.
  case cancelled
  /// `flatMap` got no value.
  @available(*, deprecated, message: "See: `compactMap`") case flatMap(Any, Any.Type)
  /// The closure of `compactMap` returned `nil` for this value, instead of a value of this type.
  case compactMap(Any, Any.Type)
  /// The sequence has no such element.
  case emptySequence
  /// None of several promises was fulfilled.
  case noWinner
}

extension PMKError: CustomDebugStringConvertible {
  /// What happened, in words.
  public var debugDescription: String {
    switch self {
    case .invalidCallingConvention: "A completion handler was called with neither a value nor an error"
    case .returnedSelf: "A closure returned the promise that was made of it"
    case .badInput: "There is nothing to wait for"
    case .cancelled: "The operation was cancelled"
    case .flatMap(let value, let type), .compactMap(let value, let type): "No \(type) could be made of \(value)"
    case .emptySequence: "The sequence has no such element"
    case .noWinner: "All thenables passed to race(fulfilled:) were rejected"
    }
  }
}

extension PMKError: LocalizedError {
  /// What happened, in words.
  public var errorDescription: String? { debugDescription }
}

/// An error that may stand for having been cancelled.
public protocol CancellableError: Error {
  /// Whether it does.
  var isCancelled: Bool { get }
}

extension Error {
  /// Whether the error stands for having been cancelled: under the default policy, `catch` and `recover` pass it by.
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
