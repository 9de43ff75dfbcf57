/// A step that only reports: its own promise is of no interest to anybody.
@usableFromInline
enum ReportStep<Value: Sendable, Failure: Sendable, P: Participation>: Step {
  @inlinable static var traits: Traits { P.traits.union(.onAnything) }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Never, Never> {
    callback(input)
    return .result(.cancelled)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Never, Never> { .cancelled }
}
