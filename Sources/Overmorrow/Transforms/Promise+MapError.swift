extension Promise {
  /// A promise for what a closure makes of the error.
  ///
  /// - Fulfils: with this promise's value.
  /// - Fails: with what `transform` returns.
  /// - Cancels: when this promise does, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil, _ transform: @escaping @Sendable (Failure) -> E
  ) -> Promise<Value, E> {
    observe(MapErrorStep<Value, Failure, E>.self, on: context, token: token, transform)
  }

  /// A promise for what a closure makes of the error, by returning or by throwing it.
  ///
  /// - Fulfils: with this promise's value.
  /// - Fails: with what `transform` returns or throws.
  /// - Cancels: when this promise does, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  public func mapError<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) throws(E) -> E
  ) -> Promise<Value, E> {
    observe(ThrowingMapErrorStep<Value, Failure, E>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum MapErrorStep<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> E, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    if case .error(let error) = input { .error(callback(error)) } else { .result(pass(input)) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, E> {
    if case .value(let value) = input { .value(value) } else { .cancelled }
  }
}

@usableFromInline
enum ThrowingMapErrorStep<Value: Sendable, Failure: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) throws(E) -> E, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    guard case .error(let error) = input else { return .result(pass(input)) }
    do throws(E) { return .error(try callback(error)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, E> {
    MapErrorStep<Value, Failure, E>.pass(input)
  }
}
