public import OvermorrowEngine

extension Promise where Failure: Error {
  /// A promise with the same result and the failure type `any Error`. Use it to combine promises of different failure
  /// types.
  ///
  /// - Fulfils, fails, cancels: with this promise's result, without a hop.
  @inlinable
  public var upcast: Promise<Value, any Error> {
    observe(UpcastStep<Value, Failure>.self, on: .immediate, gate: nil, ())
  }
}

@usableFromInline
enum UpcastStep<Value: Sendable, Failure: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .makesResult] }

  @inlinable
  static func run(_ callback: Void, _ input: PromiseResult<Value, Failure>) -> PromiseStepResult<Value, any Error> {
    .result(forward(input))
  }

  @inlinable
  static func forward(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, any Error> {
    switch input {
    case .value(let value): .value(value)
    case .error(let error): .error(error)
    case .cancelled: .cancelled
    }
  }
}
