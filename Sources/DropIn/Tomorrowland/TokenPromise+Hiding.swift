import Overmorrow

// A declaration hides one with the same signature in a module that it is exported with. These hide the throwing operators
// of Overmorrow, which would win over those with closures that belong to where they are written; and they are
// disfavoured, so that they are called only with a closure that throws.

extension TokenPromise {
  /// Hides `mapError` of Overmorrow.
  @_disfavoredOverload
  public func mapError<E: Swift.Error>(
    on context: PromiseContext,
    _ onError: @escaping @Sendable (Failure) throws(E) -> E
  ) -> TokenPromise<Value, E> {
    link(inner.mapError(at: .exactly(context), token: token, onError))
  }

  /// Hides `flatMapError` of Overmorrow.
  @_disfavoredOverload
  public func flatMapError<E: Swift.Error>(
    on context: PromiseContext,
    _ onError: @escaping @Sendable (Failure) throws(E) -> Promise<Value, E>
  ) -> TokenPromise<Value, E> {
    link(inner.flatMapError(at: .exactly(context), token: token, onError))
  }

  /// Hides `mapResult` of Overmorrow.
  @_disfavoredOverload
  public func mapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<T, E>
  ) -> TokenPromise<T, E> {
    link(inner.mapResult(at: .exactly(context), token: token, onComplete))
  }

  /// Hides `flatMapResult` of Overmorrow.
  @_disfavoredOverload
  public func flatMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> Promise<T, E>
  ) -> TokenPromise<T, E> {
    link(inner.flatMapResult(at: .exactly(context), token: token, onComplete))
  }
}

extension TokenPromise where Failure: Swift.Error {
  /// Hides `then` of Overmorrow.
  @discardableResult
  @_disfavoredOverload
  public func then(
    on context: PromiseContext,
    _ onSuccess: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> TokenPromise<Value, Failure> {
    link(inner.then(at: .exactly(context), token: token, onSuccess))
  }

  /// Hides `map` of Overmorrow.
  @_disfavoredOverload
  public func map<U: Sendable>(
    on context: PromiseContext,
    _ onSuccess: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> TokenPromise<U, Failure> {
    link(inner.map(at: .exactly(context), token: token, onSuccess))
  }

  /// Hides `flatMap` of Overmorrow.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    on context: PromiseContext,
    _ onSuccess: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> TokenPromise<U, Failure> {
    link(inner.flatMap(at: .exactly(context), token: token, onSuccess))
  }
}
