// Drop-in modules declare operators with the usual names, and implement them with these functions, which take any
// failure type. A public operator may return the promise on which it is called. However, programs that were written for
// the original libraries compare promises, and expect a new promise from each operator. So each of these functions
// except `reportResult` always returns a new promise.

extension Promise {
  /// Runs a closure with the value. If the closure returns an error, the returned promise is rejected with this error.
  @inlinable
  package func observeValue(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable (Value) -> Failure?
  ) -> Promise {
    register(ValueObserver<Value, Failure>.self, on: context, gate: token?.gate, callback)
  }

  /// Does the same as `catch`, but always returns a new promise.
  @inlinable
  package func observeError(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    register(CatchStep<Value, Failure>.self, on: context, gate: token?.gate, .init(callback))
  }

  /// Does the same as `always`, but always returns a new promise.
  @inlinable
  package func observeResult(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    register(AlwaysStep<Value, Failure>.self, on: context, gate: token?.gate, .init(callback))
  }

  /// Does the same as `onCancel`, but always returns a new promise.
  @inlinable
  package func observeCancellation(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable () -> Void
  ) -> Promise {
    register(OnCancelStep<Value, Failure>.self, on: context, gate: token?.gate, .init(callback))
  }

  /// Does the same as `tap`.
  @inlinable
  package func reportResult(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    report(NoVote.self, on: context, gate: token?.gate, .init(callback))
    return self
  }

  /// Continues with the result or the promise that a closure makes from the value.
  @inlinable
  package func transformValue<U>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Value) -> StepResult<U, Failure>
  ) -> Promise<U, Failure> {
    observe(ValueTransform<Value, Failure, U>.self, on: context, gate: token?.gate, transform)
  }

  /// Continues with the result or the promise that a closure makes from the value. `transform` makes this closure from
  /// the address of the returned promise. The closure need not be Sendable: see `Isolation.plain`.
  @inlinable
  package func transformValue<U>(
    on context: PromiseContext, _ transform: (_ address: UInt) -> (Value) -> StepResult<U, Failure>
  ) -> Promise<U, Failure> {
    register(ValueTransform<Value, Failure, U>.self, on: context) { Isolation.sent(transform($0)) }
  }

  /// Continues with the result or the promise that a closure makes from the error. `transform` makes this closure from
  /// the address of the returned promise. The closure need not be Sendable: see `Isolation.plain`.
  @inlinable
  package func transformError<E>(
    on context: PromiseContext, _ transform: (_ address: UInt) -> (Failure) -> StepResult<Value, E>
  ) -> Promise<Value, E> {
    register(ErrorTransform<Value, Failure, E>.self, on: context) { Isolation.sent(transform($0)) }
  }

  /// Continues with the result or the promise that a closure makes from the error.
  @inlinable
  package func transformError<E>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Failure) -> StepResult<Value, E>
  ) -> Promise<Value, E> {
    observe(ErrorTransform<Value, Failure, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Continues with the result or the promise that a closure makes from the result.
  @inlinable
  package func transformResult<U, E>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> StepResult<U, E>
  ) -> Promise<U, E> {
    observe(ResultTransform<Value, Failure, U, E>.self, on: context, gate: token?.gate, transform)
  }
}

@usableFromInline
enum ValueObserver<Input: Sendable, InputFailure: Sendable>: Observer {
  @usableFromInline
  typealias Callback = @Sendable (Input) -> InputFailure?
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func runCallback(
    _ callback: @Sendable (Input) -> InputFailure?, _ input: PromiseResult<Input, InputFailure>
  ) -> InputFailure? {
    if case .value(let value) = input { callback(value) } else { nil }
  }
}

@usableFromInline
enum ValueTransform<Value: Sendable, Failure: Sendable, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) -> StepResult<U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    if case .value(let value) = input { callback(value) } else { .result(pass(input)) }
  }
}

@usableFromInline
enum ErrorTransform<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> StepResult<Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    if case .error(let error) = input { callback(error) } else { .result(pass(input)) }
  }
}

@usableFromInline
enum ResultTransform<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> StepResult<U, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> { callback(input) }
}
