/// A step that hands on the result of its source.
///
/// When the source is resolved, and the callback can run at once or need not run, there is nothing to wait for or to
/// cancel: then the promise of the step is that of the source, and no core is made.
@usableFromInline
protocol Observer: Step where Output == Input, OutputFailure == InputFailure {
  associatedtype Output = Input
  associatedtype OutputFailure = InputFailure

  /// Runs the callback. Called for the outcomes that `traits` name.
  ///
  /// - Returns: The error that changes what the promise of the step gets, or `nil`.
  static func look(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure?

  /// What the promise of the step gets for such an error.
  static func ending(with error: InputFailure) -> PromiseResult<Output, OutputFailure>
}

extension Observer {
  @inlinable
  @inline(__always)
  static func run(
    _ callback: Callback, _ input: PromiseResult<Input, InputFailure>
  ) -> StepResult<Output, OutputFailure> {
    if let error = look(callback, input) { .result(ending(with: error)) } else { .result(input) }
  }

  @inlinable
  @inline(__always)
  static func pass(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> { input }

  @inlinable
  static func ending(with error: InputFailure) -> PromiseResult<Output, OutputFailure> { .error(error) }
}
