// Chains that adopt chains, which they own meanwhile.

extension OwnedPromise {
  /// A chain that adopts the owned chain that a closure makes of the value, and owns it until that has resolved.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the value.
  @_disfavoredOverload
  public func flatMapOwned<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) -> OwnedPromise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    adopting { promise, token, own in promise.flatMap(on: context, token: token) { own(transform($0)) } }
  }

  /// A chain that adopts the owned chain that a closure makes of the result, and owns it until that has resolved.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the result.
  @_disfavoredOverload
  public func flatMapResultOwned<U: Sendable, E: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> OwnedPromise<U, E>
  ) -> OwnedPromise<U, E> {
    adopting { promise, token, own in promise.flatMapResult(on: context, token: token) { own(transform($0)) } }
  }

  /// A chain that adopts the owned chain that a closure makes of the result, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the result.
  public func flatMapResultOwned<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> OwnedPromise<U, E>
  ) -> OwnedPromise<U, E> {
    adopting { promise, token, own in
      promise.flatMapResult(on: context, token: token) { (result) throws(E) in own(try transform(result)) }
    }
  }

  /// The next link; `own` makes it the owner of the chain that its callback returns.
  private func adopting<U, E>(
    _ register: (
      Promise<Value, Failure>, PromiseInvalidationToken,
      _ own: @escaping @Sendable (OwnedPromise<U, E>) -> Promise<U, E>
    ) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    let ownership = Ownership(upstream: ownership)
    return step(owning: ownership) { promise, token in
      register(promise, token) { [weak ownership] chain in
        // Without this link, the chain ends right here, and is cancelled.
        ownership?.adopt(chain.ownership)
        _ = chain.inner.tap(on: .immediate) { [weak ownership] _ in ownership?.adopt(nil) }
        return chain.inner
      }
    }
  }
}

extension OwnedPromise where Failure: Error {
  /// A chain that adopts the owned chain that a closure makes of the value, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the value.
  public func flatMapOwned<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) throws(Failure) -> OwnedPromise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    adopting { promise, token, own in
      promise.flatMap(on: context, token: token) { (value) throws(Failure) in own(try transform(value)) }
    }
  }
}
