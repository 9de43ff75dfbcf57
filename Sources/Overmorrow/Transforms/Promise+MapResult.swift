extension Promise {
  /// A promise for what a closure makes of the result, whichever it is.
  ///
  /// - Fulfils, fails, cancels: as the result that `transform` returns; cancels when `token` is invalidated before
  ///   `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    observe(MapResultStep<Value, Failure, U, E>.self, on: context, token: token, transform)
  }

  /// A promise for what a closure makes of the result, whichever it is, or for the error that it throws.
  ///
  /// - Fulfils, fails, cancels: as the result that `transform` returns; fails with what it throws; cancels when `token`
  ///   is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  public func mapResult<U: Sendable, E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    observe(ThrowingMapResultStep<Value, Failure, U, E>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum MapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> {
    .result(callback(input))
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, E> { .cancelled }
}

@usableFromInline
enum ThrowingMapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> {
    do throws(E) { return .result(try callback(input)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, E> { .cancelled }
}
