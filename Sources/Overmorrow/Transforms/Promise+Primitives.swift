// The operators by names of their own, for any failure: for modules that have operators with the names of these. Unlike those of
// this module, each returns a promise of its own, also of a resolved one: old code compares them.

extension Promise {
  /// Runs a closure with the value; an error that it returns becomes that of the promise returned.
  package func observeValue(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable (Value) -> Failure?
  ) -> Promise {
    register(ValueObserver<Value, Failure>.self, on: context, gate: token?.gate, callback)
  }

  /// As `catch`.
  package func observeError(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    register(CatchStep<Value, Failure>.self, on: context, gate: token?.gate, .init(callback))
  }

  /// As `always`.
  package func observeResult(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    register(AlwaysStep<Value, Failure>.self, on: context, gate: token?.gate, .init(callback))
  }

  /// As `onCancel`.
  package func observeCancellation(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable () -> Void
  ) -> Promise {
    register(OnCancelStep<Value, Failure>.self, on: context, gate: token?.gate, .init(callback))
  }

  /// As `tap`.
  package func reportResult(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    report(NoPart.self, on: context, gate: token?.gate, .init(callback))
    return self
  }

  /// Continues with what a closure makes of the value.
  package func transformValue<U>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Value) -> StepResult<U, Failure>
  ) -> Promise<U, Failure> {
    observe(ValueTransform<Value, Failure, U>.self, on: context, gate: token?.gate, transform)
  }

  /// Continues with what a closure makes of the error.
  package func transformError<E>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Failure) -> StepResult<Value, E>
  ) -> Promise<Value, E> {
    observe(ErrorTransform<Value, Failure, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Continues with what a closure makes of the result.
  package func transformResult<U, E>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> StepResult<U, E>
  ) -> Promise<U, E> {
    observe(ResultTransform<Value, Failure, U, E>.self, on: context, gate: token?.gate, transform)
  }
}

private enum ValueObserver<Value: Sendable, Failure: Sendable>: Observer {
  typealias Input = Value
  typealias InputFailure = Failure
  typealias Output = Value
  typealias OutputFailure = Failure
  typealias Callback = @Sendable (Value) -> Failure?
  static var traits: Traits { [.takesPart, .onValue] }

  static func look(_ callback: @Sendable (Value) -> Failure?, _ input: PromiseResult<Value, Failure>) -> Failure? {
    if case .value(let value) = input { callback(value) } else { nil }
  }
}

private enum ValueTransform<Value: Sendable, Failure: Sendable, U: Sendable>: Step {
  static var traits: Traits { [.takesPart, .onValue] }

  static func run(
    _ callback: @Sendable (Value) -> StepResult<U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    if case .value(let value) = input { callback(value) } else { .result(pass(input)) }
  }

  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, Failure> { input.withoutValue() }
}

private enum ErrorTransform<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  static var traits: Traits { [.takesPart, .onError] }

  static func run(
    _ callback: @Sendable (Failure) -> StepResult<Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    if case .error(let error) = input { callback(error) } else { .result(pass(input)) }
  }

  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, E> { input.withoutError() }
}

private enum ResultTransform<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  static var traits: Traits { [.takesPart, .onAnything] }

  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> StepResult<U, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> { callback(input) }

  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<U, E> { .cancelled }
}
