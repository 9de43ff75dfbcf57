extension Promise {
  /// A promise for what a closure makes of the value.
  ///
  /// - Fulfils: with what `transform` returns.
  /// - Fails: with this promise's error.
  /// - Cancels: when this promise does, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  @_disfavoredOverload
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil, _ transform: @escaping @Sendable (Value) -> U
  ) -> Promise<U, Failure> {
    observe(MapStep<Value, Failure, U>.self, on: context, token: token, transform)
  }
}

extension Promise where Failure: Error {
  /// A promise for what a closure makes of the value, or for the error that it throws.
  ///
  /// - Fulfils: with what `transform` returns.
  /// - Fails: with this promise's error, or with what `transform` throws.
  /// - Cancels: when this promise does, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    observe(ThrowingMapStep<Value, Failure, U>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum MapStep<Value: Sendable, Failure: Sendable, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) -> U, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    if case .value(let value) = input { .value(callback(value)) } else { .result(pass(input)) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, Failure> {
    if case .error(let error) = input { .error(error) } else { .cancelled }
  }
}

@usableFromInline
enum ThrowingMapStep<Value: Sendable, Failure: Error, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) throws(Failure) -> U, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    guard case .value(let value) = input else { return .result(pass(input)) }
    do throws(Failure) { return .value(try callback(value)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, Failure> {
    MapStep<Value, Failure, U>.pass(input)
  }
}
