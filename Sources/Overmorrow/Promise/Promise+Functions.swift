/// What promises can be made from by functions that are passed around, such as `Promise<Int, Never>.init(fulfilled:)`.
///
/// The initialisers of ``Promise`` have a place that the compiler fills in, and so other names. These have the plain
/// ones. A call prefers those, as an extension of a protocol comes last.
public protocol _ResolvedPromise {
  /// What the promise is fulfilled with.
  associatedtype Value: Sendable
  /// What the promise is rejected with.
  associatedtype Failure: Sendable

  /// A resolved promise, made at a place.
  init(with result: PromiseResult<Value, Failure>, fileID: StaticString, line: UInt)
  /// An unresolved promise, made at a place, and what resolves it.
  static func makeWithResolver(fileID: StaticString, line: UInt) -> (Self, Promise<Value, Failure>.Resolver)
}

extension Promise: _ResolvedPromise {}

extension _ResolvedPromise {
  /// A fulfilled promise, made at a place that is not known. For `map(Promise.init(fulfilled:))` and the like.
  @_disfavoredOverload
  public init(fulfilled value: Value) { self.init(with: .value(value), fileID: #fileID, line: 0) }

  /// A rejected promise, made at a place that is not known. For `map(Promise.init(rejected:))` and the like.
  @_disfavoredOverload
  public init(rejected error: Failure) { self.init(with: .error(error), fileID: #fileID, line: 0) }

  /// A resolved promise, made at a place that is not known. For `map(Promise.init(with:))` and the like.
  @_disfavoredOverload
  public init(with result: PromiseResult<Value, Failure>) { self.init(with: result, fileID: #fileID, line: 0) }

  /// A promise and its resolver, made at a place that is not known. For uses as a function.
  @_disfavoredOverload
  public static func makeWithResolver() -> (Self, Promise<Value, Failure>.Resolver) {
    makeWithResolver(fileID: #fileID, line: 0)
  }
}

extension _ResolvedPromise where Failure: Error {
  /// A promise that is fulfilled or rejected already, made at a place that is not known. For uses as a function.
  @_disfavoredOverload
  public init(with result: Result<Value, Failure>) { self.init(with: PromiseResult(result), fileID: #fileID, line: 0) }
}
