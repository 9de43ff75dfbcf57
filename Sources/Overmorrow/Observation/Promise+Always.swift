extension Promise {
  /// Runs a closure with the result, whichever it is.
  ///
  /// - Fulfils, fails, cancels: as this promise, after `onComplete` has finished.
  /// - Runs on: `context`.
  /// - Order: after the observers that were registered before it.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the result.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    observe(AlwaysStep<Value, Failure>.self, on: context, token: token, onComplete)
  }
}

@usableFromInline
enum AlwaysStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, Failure> {
    callback(input)
    return .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}
