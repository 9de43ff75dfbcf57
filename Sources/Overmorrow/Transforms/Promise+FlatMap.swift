extension Promise {
  /// A promise that adopts the one that a closure makes of the value.
  ///
  /// A recursion through `flatMap` may go on for ever: it takes neither stack nor memory with each round.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns. Before that, fails with this promise's error,
  ///   and cancels when this promise does, or when `token` is invalidated before `transform` runs. A request to cancel
  ///   goes to the promise that is waited for, as one child's vote.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    observe(FlatMapStep<Value, Failure, U>.self, on: context, token: token, transform)
  }
}

extension Promise where Failure: Error {
  /// A promise that adopts the one that a closure makes of the value, or fails with what the closure throws.
  ///
  /// ```swift
  /// let messages = logIn().flatMap(on: .utility) { user in
  ///   fetchMessages(for: user)
  /// }
  /// ```
  ///
  /// A recursion through `flatMap` may go on for ever: it takes neither stack nor memory with each round.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns; fails with what `transform` throws. Before that,
  ///   fails with this promise's error, and cancels when this promise does, or when `token` is invalidated before
  ///   `transform` runs. A request to cancel goes to the promise that is waited for, as one child's vote.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    observe(ThrowingFlatMapStep<Value, Failure, U>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum FlatMapStep<Value: Sendable, Failure: Sendable, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) -> Promise<U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    if case .value(let value) = input { .promise(callback(value)) } else { .result(pass(input)) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, Failure> {
    MapStep<Value, Failure, U>.pass(input)
  }
}

@usableFromInline
enum ThrowingFlatMapStep<Value: Sendable, Failure: Error, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) throws(Failure) -> Promise<U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    guard case .value(let value) = input else { return .result(pass(input)) }
    do throws(Failure) { return .promise(try callback(value)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, Failure> {
    MapStep<Value, Failure, U>.pass(input)
  }
}
