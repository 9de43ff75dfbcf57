internal import Overmorrow

/// An object that has a result, now or later: a ``Promise``, a ``Guarantee``, or an object of your own type.
public protocol Thenable: AnyObject {
  /// The type of the value.
  associatedtype T
  /// Calls a closure with the result. If there is no result yet, the call is made when the result arrives.
  func pipe(to: @escaping (Result<T>) -> Void)
  /// The result, or `nil` while there is no result.
  var result: Result<T>? { get }
  /// The promise of Overmorrow behind this object. The default implementation uses ``pipe(to:)``.
  var _source: _Source<T> { get }
}

extension Thenable {
  /// A promise of Overmorrow that ``pipe(to:)`` resolves.
  public var _source: _Source<T> {
    let (source, resolver) = _Source<T>.pending()
    pipe { resolver.resolve(with: $0.outcome) }
    return source
  }

  /// The error, or `nil` if the thenable is pending or fulfilled.
  @inlinable public var error: (any Error)? { if case .rejected(let error)? = result { error } else { nil } }
  /// Whether there is no result yet.
  @inlinable public var isPending: Bool { result == nil }
  /// Whether there is a result.
  @inlinable public var isResolved: Bool { result != nil }
  /// Whether there is a value.
  @inlinable public var isFulfilled: Bool { value != nil }
  /// Whether there is an error.
  @inlinable public var isRejected: Bool { error != nil }
  /// The value, or `nil` if the thenable is pending or rejected.
  @inlinable public var value: T? { if case .fulfilled(let value)? = result { value } else { nil } }
}
