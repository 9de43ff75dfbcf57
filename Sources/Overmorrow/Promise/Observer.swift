/// A step that passes the result of its source on.
///
/// If the source is resolved, and the callback can run at once or need not run, there is nothing to wait for and
/// nothing to cancel. The operator then returns the source's own promise and makes no core.
@usableFromInline
protocol Observer: Step where Output == Input, OutputFailure == InputFailure {
  associatedtype Output = Input
  associatedtype OutputFailure = InputFailure

  /// Runs the callback. Called only for outcomes that are in `traits`.
  ///
  /// - Returns: The error to give to ``ending(with:)``, or `nil` to pass the input on.
  static func runCallback(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure?

  /// The result of the step after ``runCallback(_:_:)`` has returned an error.
  static func ending(with error: InputFailure) -> PromiseResult<Output, OutputFailure>
}

extension Observer {
  @inlinable
  @inline(__always)
  static func run(
    _ callback: Callback, _ input: PromiseResult<Input, InputFailure>
  ) -> StepResult<Output, OutputFailure> {
    if let error = runCallback(callback, input) { .result(ending(with: error)) } else { .result(input) }
  }

  @inlinable
  @inline(__always)
  static func pass(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> { input }

  @inlinable
  static func ending(with error: InputFailure) -> PromiseResult<Output, OutputFailure> { .error(error) }
}
