public import OvermorrowEngine

/// A weak reference to the owner of a bound chain. All steps of the chain share one such reference.
@usableFromInline
final class OwnerReference<Owner: AnyObject & Sendable>: Sendable {
  @usableFromInline weak let owner: Owner?

  init(_ owner: Owner) { self.owner = owner }
}

/// The callback of a step of a bound chain: a reference to the owner, and a closure that makes the callback of `S` for
/// the owner.
@usableFromInline
struct OwnerCallback<Owner: AnyObject & Sendable, Callback>: Sendable {
  @usableFromInline let reference: OwnerReference<Owner>
  @usableFromInline let bind: @Sendable (Owner) -> Callback

  @inlinable
  init(_ reference: OwnerReference<Owner>, _ bind: @escaping @Sendable (Owner) -> Callback) {
    self.reference = reference
    self.bind = bind
  }
}

/// A step whose callback belongs to an owner. The step behaves like `S` while the owner exists.
@usableFromInline
enum OwnerStep<Owner: AnyObject & Sendable, S: Step>: Step {
  @inlinable static var traits: Traits { S.traits }

  @inlinable
  static func run(
    _ callback: OwnerCallback<Owner, S.Callback>, _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> PromiseStepResult<S.Output, S.OutputFailure> {
    guard let owner = callback.reference.owner else { return .result(orphaned(input)) }
    return S.run(callback.bind(owner), input)
  }

  @inlinable
  static func forward(_ input: PromiseResult<S.Input, S.InputFailure>) -> PromiseResult<S.Output, S.OutputFailure> {
    S.forward(input)
  }

  /// Returns the result for the case that the owner no longer exists: `PromiseError.ownerDeallocated`, or `cancelled`
  /// if the input is cancelled or the failure type cannot hold this error.
  @usableFromInline
  static func orphaned(
    _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> PromiseResult<S.Output, S.OutputFailure> {
    if case .cancelled = input { return .cancelled }
    let error: any Error = PromiseError.ownerDeallocated
    return (error as? S.OutputFailure).map { .error($0) } ?? .cancelled
  }
}
