extension Promise {
  /// A promise that adopts the one that a closure makes of the error.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns. Without an error, fulfils with this promise's
  ///   value; cancels when this promise does, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    observe(FlatMapErrorStep<Value, Failure, E>.self, on: context, token: token, transform)
  }

  /// A promise that adopts the one that a closure makes of the error, or fails with what the closure throws.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns; fails with what `transform` throws. Without an
  ///   error, fulfils with this promise's value; cancels when this promise does, or when `token` is invalidated before
  ///   `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  public func flatMapError<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) throws(E) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    observe(ThrowingFlatMapErrorStep<Value, Failure, E>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum FlatMapErrorStep<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> Promise<Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    if case .error(let error) = input { .promise(callback(error)) } else { .result(pass(input)) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, E> {
    MapErrorStep<Value, Failure, E>.pass(input)
  }
}

@usableFromInline
enum ThrowingFlatMapErrorStep<Value: Sendable, Failure: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) throws(E) -> Promise<Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    guard case .error(let error) = input else { return .result(pass(input)) }
    do throws(E) { return .promise(try callback(error)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, E> {
    MapErrorStep<Value, Failure, E>.pass(input)
  }
}
