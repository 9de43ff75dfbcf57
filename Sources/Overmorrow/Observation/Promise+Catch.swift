extension Promise {
  /// Runs a closure with the error.
  ///
  /// - Fulfils, fails, cancels: as this promise; if `onRejected` runs, after it has finished.
  /// - Runs on: `context`.
  /// - Order: after the observers that were registered before it.
  /// - Parameters:
  ///   - context: Where `onRejected` runs.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - onRejected: Called with the error.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    observe(CatchStep<Value, Failure>.self, on: context, token: token, onRejected)
  }
}

@usableFromInline
enum CatchStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, Failure> {
    if case .error(let error) = input { callback(error) }
    return .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}
