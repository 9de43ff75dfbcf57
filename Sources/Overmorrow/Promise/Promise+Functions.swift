/// Initialisers without a call site, to be passed as functions, such as `Promise<Int, Never>.init(fulfilled:)`.
///
/// The initialisers of ``Promise`` itself also take `fileID` and `line`, so they cannot be passed as functions of one
/// argument. A direct call still uses the initialisers of ``Promise``, because members of a protocol extension have the
/// lowest priority.
public protocol _ResolvedPromise {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The type of the error.
  associatedtype Failure: Sendable

  /// Creates a resolved promise with a call site.
  init(with result: PromiseResult<Value, Failure>, fileID: StaticString, line: UInt)
  /// Creates an unresolved promise with a call site, and its resolver.
  static func makeWithResolver(
    fileID: StaticString, line: UInt
  ) -> (promise: Self, resolver: Promise<Value, Failure>.Resolver)
}

extension Promise: _ResolvedPromise {}

extension _ResolvedPromise {
  /// Creates a fulfilled promise without a call site, for uses such as `map(Promise.init(fulfilled:))`.
  @_disfavoredOverload
  public init(fulfilled value: Value) { self.init(with: .value(value), fileID: #fileID, line: 0) }

  /// Creates a rejected promise without a call site, for uses such as `map(Promise.init(rejected:))`.
  @_disfavoredOverload
  public init(rejected error: Failure) { self.init(with: .error(error), fileID: #fileID, line: 0) }

  /// Creates a resolved promise without a call site, for uses such as `map(Promise.init(with:))`.
  @_disfavoredOverload
  public init(with result: PromiseResult<Value, Failure>) { self.init(with: result, fileID: #fileID, line: 0) }

  /// Creates an unresolved promise without a call site, and its resolver. This form can be passed as a function.
  @_disfavoredOverload
  public static func makeWithResolver() -> (Self, Promise<Value, Failure>.Resolver) {
    makeWithResolver(fileID: #fileID, line: 0)
  }
}

extension _ResolvedPromise where Failure: Error {
  /// Creates a fulfilled or rejected promise without a call site. This form can be passed as a function.
  @_disfavoredOverload
  public init(with result: Result<Value, Failure>) { self.init(with: PromiseResult(result), fileID: #fileID, line: 0) }
}
