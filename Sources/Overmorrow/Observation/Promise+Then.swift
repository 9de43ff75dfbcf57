extension Promise {
  /// Runs a closure with the value.
  ///
  /// - Fulfils, fails, cancels: as this promise; if `onFulfilled` runs, after it has finished.
  /// - Runs on: `context`.
  /// - Order: after the observers that were registered before it.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the value.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Value) -> Void
  ) -> Promise {
    observe(ThenStep<Value, Failure>.self, on: context, token: token, onFulfilled)
  }
}

extension Promise where Failure: Error {
  /// Runs a closure with the value; what it throws becomes the error of the promise returned.
  ///
  /// - Fulfils: with this promise's value, after `onFulfilled` has finished.
  /// - Fails: with this promise's error, or with what `onFulfilled` throws.
  /// - Cancels: when this promise does.
  /// - Runs on: `context`.
  /// - Order: after the observers that were registered before it.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the value.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> Promise {
    observe(ThrowingThenStep<Value, Failure>.self, on: context, token: token, onFulfilled)
  }
}

@usableFromInline
enum ThenStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, Failure> {
    if case .value(let value) = input { callback(value) }
    return .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}

@usableFromInline
enum ThrowingThenStep<Value: Sendable, Failure: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(
    _ callback: @Sendable (Value) throws(Failure) -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, Failure> {
    guard case .value(let value) = input else { return .result(input) }
    do throws(Failure) { try callback(value) } catch { return .error(error) }
    return .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}
