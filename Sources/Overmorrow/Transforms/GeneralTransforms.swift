public import OvermorrowEngine

// Steps whose closures return a result or a promise: the operators of adapters, and `transformValue`.

extension Promise {
  /// Continues with the result or the promise that a closure makes from the value. Always returns a new promise.
  package func transformValue<U>(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Value) -> PromiseStepResult<U, Failure>
  ) -> Promise<U, Failure> {
    observe(ValueTransform<Value, Failure, U>.self, on: context, gate: token?.gate, transform)
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
    _ callback: @Sendable (Value) -> PromiseStepResult<U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<U, Failure> {
    if case .value(let value) = input { callback(value) } else { .result(forward(input)) }
  }
}

@usableFromInline
enum ErrorTransform<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> PromiseStepResult<Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<Value, E> {
    if case .error(let error) = input { callback(error) } else { .result(forward(input)) }
  }
}

@usableFromInline
enum ResultTransform<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> PromiseStepResult<U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<U, E> { callback(input) }
}
