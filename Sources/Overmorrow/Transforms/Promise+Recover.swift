extension Promise {
  /// A promise for the value that a closure has to offer instead of an error.
  ///
  /// With a closure that does not throw, the failure becomes `Never`: what is left are values and cancellation.
  ///
  /// ```swift
  /// let avatar: Promise<Picture, Never> = load(url).recover(on: .immediate) { _ in .anonymous }
  /// ```
  ///
  /// - Fulfils: with this promise's value, or with what `transform` returns.
  /// - Fails: with what `transform` throws.
  /// - Cancels: when this promise does, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func recover<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    observe(RecoverStep<Value, Failure, E>.self, on: context, token: token, transform)
  }
}

@usableFromInline
enum RecoverStep<Value: Sendable, Failure: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) throws(E) -> Value, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    guard case .error(let error) = input else { return .result(pass(input)) }
    do throws(E) { return .value(try callback(error)) } catch { return .error(error) }
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, E> {
    MapErrorStep<Value, Failure, E>.pass(input)
  }
}
