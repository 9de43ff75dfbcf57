import Overmorrow

// This file declares the names of Tomorrowland 0.4 that have another meaning since 0.5, and `tryAlways`, which 0.5
// removed. For each of these names, the compiler suggests the new name. The old forms of `always` are not declared. If
// they were declared, the compiler could not report what is wrong in a chain that contains a mistake.

extension Promise {
  /// The name of `flatMap` before 0.5.
  @available(*, unavailable, renamed: "flatMap(on:token:_:)")
  public func then<U>(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    _ onSuccess: @escaping (Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> { fatalError("unavailable") }

  /// The name of `flatMapError` before 0.5.
  @available(*, unavailable, renamed: "flatMapError(on:token:_:)")
  public func recover<E>(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    _ onError: @escaping (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> { fatalError("unavailable") }

  /// The name of `tryFlatMap` before 0.5.
  @available(*, unavailable, renamed: "tryFlatMap(on:token:_:)")
  public func tryThen<U, E: Swift.Error>(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    _ onSuccess: @escaping (Value) throws -> Promise<U, E>
  ) -> Promise<U, any Swift.Error> { fatalError("unavailable") }

  /// The name of `tryFlatMapError` before 0.5.
  @available(*, unavailable, renamed: "tryFlatMapError(on:token:_:)")
  public func tryRecover<E: Swift.Error>(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    _ onError: @escaping (Failure) throws -> Promise<Value, E>
  ) -> Promise<Value, any Swift.Error> { fatalError("unavailable") }

  /// The name of `tryFlatMapResult` before 0.5.
  @available(*, unavailable, renamed: "tryFlatMapResult(on:token:_:)")
  public func tryAlways<T, E: Swift.Error>(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping (PromiseResult<Value, Failure>) throws -> Promise<T, E>
  ) -> Promise<T, any Swift.Error> { fatalError("unavailable") }
}
