/// The one weak reference of a bound chain to its owner.
final class OwnerReference<Owner: AnyObject & Sendable>: Sendable {
  weak let owner: Owner?

  init(_ owner: Owner) { self.owner = owner }
}

/// What a step of a bound chain keeps until it runs.
struct OwnerCallback<Owner: AnyObject & Sendable, Callback>: Sendable {
  let reference: OwnerReference<Owner>
  let bind: @Sendable (Owner) -> Callback
}

/// A step whose callback belongs to an object: as `S`, while that is there.
enum OwnerStep<Owner: AnyObject & Sendable, S: Step>: Step {
  static var traits: Traits { S.traits }

  static func run(
    _ callback: OwnerCallback<Owner, S.Callback>, _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> StepResult<S.Output, S.OutputFailure> {
    guard let owner = callback.reference.owner else { return .result(orphaned(input)) }
    return S.run(callback.bind(owner), input)
  }

  static func pass(_ input: PromiseResult<S.Input, S.InputFailure>) -> PromiseResult<S.Output, S.OutputFailure> {
    S.pass(input)
  }

  /// The owner is gone: an error if there can be one, and cancelled otherwise, or if it was before.
  private static func orphaned(
    _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> PromiseResult<S.Output, S.OutputFailure> {
    if case .cancelled = input { return .cancelled }
    let error: any Error = PromiseOwnerError.contextDeallocated
    return (error as? S.OutputFailure).map { .error($0) } ?? .cancelled
  }
}
