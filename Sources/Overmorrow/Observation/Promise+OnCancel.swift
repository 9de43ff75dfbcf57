extension Promise {
  /// Runs a closure when the promise is cancelled.
  ///
  /// The observer does not keep other observers from cancelling this promise; a request to cancel the promise returned
  /// is passed on when there are no others.
  ///
  /// - Fulfils, fails, cancels: as this promise; if `onCancel` runs, after it has finished.
  /// - Runs on: `context`.
  /// - Order: after the observers that were registered before it.
  /// - Parameters:
  ///   - context: Where `onCancel` runs.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - onCancel: Called when the promise is cancelled.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable () -> Void
  ) -> Promise {
    observe(OnCancelStep<Value, Failure>.self, on: context, token: token, onCancel)
  }
}

@usableFromInline
enum OnCancelStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.asks, .onCancelled] }

  @inlinable
  static func run(
    _ callback: @Sendable () -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, Failure> {
    callback()
    return .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}
