extension Promise {
  /// A promise that adopts the one that a closure makes of the result, whichever it is.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns; cancels when `token` is invalidated before
  ///   `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    observe(FlatMapResultStep<Value, Failure, U, E>.self, on: context, token: token, transform)
  }

  /// A promise that adopts the one that a closure makes of the result, or fails with what the closure throws.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns; fails with what it throws; cancels when `token`
  ///   is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  public func flatMapResult<U: Sendable, E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> Promise<U, E> {
    observe(ThrowingFlatMapResultStep<Value, Failure, U, E>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum FlatMapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> {
    .promise(callback(input))
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, E> { .cancelled }
}

@usableFromInline
enum ThrowingFlatMapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> {
    do throws(E) { return .promise(try callback(input)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, E> { .cancelled }
}
