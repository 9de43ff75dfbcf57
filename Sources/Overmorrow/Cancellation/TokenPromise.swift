/// A chain whose every step uses one invalidation token, and whose every promise is cancelled by it.
///
/// Made by ``Promise/withToken(_:)``. It saves writing the token again and again:
///
/// ```swift
/// fetchModel()
///   .withToken(token)
///   .then { show($0) }
///   .catch { report($0) }
/// ```
///
/// stands for `fetchModel().then(token: token) { … }.catch(token: token) { … }.requestCancelOnInvalidate(token)`.
public struct TokenPromise<Value: Sendable, Failure: Sendable>: Sendable, Hashable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The token that every step uses.
  public let token: PromiseInvalidationToken

  /// A chain that starts at a promise, which is asked to cancel when the token is invalidated.
  ///
  /// - Parameters:
  ///   - promise: Where the chain starts.
  ///   - token: What every step uses.
  public init(promise: Promise<Value, Failure>, token: PromiseInvalidationToken) {
    inner = promise
    self.token = token
    token.requestCancelOnInvalidate(promise)
  }

  /// Runs a closure beside the chain. See ``Promise/fork(_:)``.
  ///
  /// - Parameter body: Called at once with this chain.
  /// - Returns: This chain.
  /// - Throws: What `body` throws.
  @discardableResult
  public func fork<E: Error>(_ body: (TokenPromise) throws(E) -> Void) throws(E) -> TokenPromise {
    try body(self)
    return self
  }

  /// Asks the promise at this point to cancel when another token is invalidated, too.
  ///
  /// - Parameter token: Does not keep the promise, and forgets it once it has resolved.
  /// - Returns: This chain.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> TokenPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }

  /// Asks the promise at this point to cancel. See ``Promise/requestCancel()``.
  public func requestCancel() { inner.requestCancel() }

  /// The next link of the chain.
  func link<U, E>(_ promise: Promise<U, E>) -> TokenPromise<U, E> {
    TokenPromise<U, E>(promise: promise, token: token)
  }
}

extension Promise {
  /// A chain that starts here, whose every step uses a token, and whose every promise is cancelled by it.
  ///
  /// - Parameter token: What every step uses.
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise<Value, Failure> {
    TokenPromise(promise: self, token: token)
  }
}

// MARK: - Observers

extension TokenPromise {
  /// Runs a closure with the value. See ``Promise/then(on:token:_:)``.
  @discardableResult
  @_disfavoredOverload
  public func then(
    on context: PromiseContext, _ onFulfilled: @escaping @Sendable (Value) -> Void
  ) -> TokenPromise {
    link(inner.then(on: context, token: token, onFulfilled))
  }

  /// Runs a closure with the error. See ``Promise/catch(on:token:_:)``.
  @discardableResult
  @_disfavoredOverload
  public func `catch`(
    on context: PromiseContext, _ onRejected: @escaping @Sendable (Failure) -> Void
  ) -> TokenPromise {
    link(inner.catch(on: context, token: token, onRejected))
  }

  /// Runs a closure with the result. See ``Promise/always(on:token:_:)``.
  @discardableResult
  @_disfavoredOverload
  public func always(
    on context: PromiseContext, _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    link(inner.always(on: context, token: token, onComplete))
  }

  /// Runs a closure with the result, without taking part in cancellation. See ``Promise/tap(on:token:_:)``.
  @discardableResult
  @_disfavoredOverload
  public func tap(
    on context: PromiseContext, _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    inner.tap(on: context, token: token, onComplete)
    return self
  }

  /// The same result, without taking part in cancellation. See ``Promise/tap()``.
  public func tap() -> TokenPromise { link(inner.tap()) }

  /// Runs a closure when the promise is cancelled. See ``Promise/onCancel(on:token:_:)``.
  @discardableResult
  @_disfavoredOverload
  public func onCancel(on context: PromiseContext, _ onCancel: @escaping @Sendable () -> Void) -> TokenPromise {
    link(inner.onCancel(on: context, token: token, onCancel))
  }

  /// The same result, without passing requests to cancel on. See ``Promise/ignoringCancel()``.
  public func ignoringCancel() -> TokenPromise { link(inner.ignoringCancel()) }
}

extension TokenPromise where Failure: Error {
  /// Runs a closure with the value, which may throw. See ``Promise/then(on:token:_:)``.
  @discardableResult
  public func then(
    on context: PromiseContext, _ onFulfilled: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> TokenPromise {
    link(inner.then(on: context, token: token, onFulfilled))
  }

  /// The failure widened to `any Error`. See ``Promise/upcast``.
  public var upcast: TokenPromise<Value, any Error> { link(inner.upcast) }
}

// MARK: - Transforms

extension TokenPromise {
  /// A chain for what a closure makes of the value. See ``Promise/map(on:token:_:)``.
  @_disfavoredOverload
  public func map<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) -> U
  ) -> TokenPromise<U, Failure> {
    link(inner.map(on: context, token: token, transform))
  }

  /// A chain that adopts what a closure makes of the value. See ``Promise/flatMap(on:token:_:)``.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) -> Promise<U, Failure>
  ) -> TokenPromise<U, Failure> {
    link(inner.flatMap(on: context, token: token, transform))
  }

  /// A chain for what a closure makes of the error. See ``Promise/mapError(on:token:_:)``.
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) -> E
  ) -> TokenPromise<Value, E> {
    link(inner.mapError(on: context, token: token, transform))
  }

  /// A chain for what a closure makes of the error, or throws. See ``Promise/mapError(on:token:_:)``.
  public func mapError<E: Error>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) throws(E) -> E
  ) -> TokenPromise<Value, E> {
    link(inner.mapError(on: context, token: token, transform))
  }

  /// A chain that adopts what a closure makes of the error. See ``Promise/flatMapError(on:token:_:)``.
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) -> Promise<Value, E>
  ) -> TokenPromise<Value, E> {
    link(inner.flatMapError(on: context, token: token, transform))
  }

  /// A chain that adopts what a closure makes of the error. See ``Promise/flatMapError(on:token:_:)``.
  public func flatMapError<E: Error>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) throws(E) -> Promise<Value, E>
  ) -> TokenPromise<Value, E> {
    link(inner.flatMapError(on: context, token: token, transform))
  }

  /// A chain for the value offered instead of an error. See ``Promise/recover(on:token:_:)``.
  @_disfavoredOverload
  public func recover<E: Error>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> TokenPromise<Value, E> {
    link(inner.recover(on: context, token: token, transform))
  }

  /// A chain for what a closure makes of the result. See ``Promise/mapResult(on:token:_:)``.
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> TokenPromise<U, E> {
    link(inner.mapResult(on: context, token: token, transform))
  }

  /// A chain for what a closure makes of the result, or throws. See ``Promise/mapResult(on:token:_:)``.
  public func mapResult<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> TokenPromise<U, E> {
    link(inner.mapResult(on: context, token: token, transform))
  }

  /// A chain that adopts what a closure makes of the result. See ``Promise/flatMapResult(on:token:_:)``.
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> TokenPromise<U, E> {
    link(inner.flatMapResult(on: context, token: token, transform))
  }

  /// A chain that adopts what a closure makes of the result. See ``Promise/flatMapResult(on:token:_:)``.
  public func flatMapResult<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> TokenPromise<U, E> {
    link(inner.flatMapResult(on: context, token: token, transform))
  }
}

extension TokenPromise where Failure: Error {
  /// A chain for what a closure makes of the value, or throws. See ``Promise/map(on:token:_:)``.
  public func map<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> TokenPromise<U, Failure> {
    link(inner.map(on: context, token: token, transform))
  }

  /// A chain that adopts what a closure makes of the value. See ``Promise/flatMap(on:token:_:)``.
  public func flatMap<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> TokenPromise<U, Failure> {
    link(inner.flatMap(on: context, token: token, transform))
  }
}
