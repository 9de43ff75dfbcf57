/// A step that forwards the result of its source.
///
/// If the source is resolved, and the callback runs at once or is not meant for the result, the step would have nothing
/// to wait for and nothing to cancel. So `Promise.observe` then registers no step, and returns the promise of the
/// source itself. However, if the callback has returned an error, `Promise.observe` returns a new resolved promise.
@usableFromInline
protocol Observer: Step where Output == Input, OutputFailure == InputFailure {
  associatedtype Output = Input
  associatedtype OutputFailure = InputFailure

  /// Runs the callback. The engine calls this function only for outcomes that are in `traits`.
  ///
  /// - Returns: The error that is passed to ``failing(with:)``, or `nil` if the result of the source is forwarded.
  static func runCallback(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure?

  /// Returns the result of the step after ``runCallback(_:_:)`` has returned an error.
  static func failing(with error: InputFailure) -> PromiseResult<Output, OutputFailure>
}

extension Observer {
  @inlinable
  @inline(__always)
  static func run(
    _ callback: Callback, _ input: PromiseResult<Input, InputFailure>
  ) -> StepResult<Output, OutputFailure> {
    if let error = runCallback(callback, input) { .result(failing(with: error)) } else { .result(input) }
  }

  @inlinable
  @inline(__always)
  static func forward(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> { input }

  @inlinable
  static func failing(with error: InputFailure) -> PromiseResult<Output, OutputFailure> { .error(error) }
}
