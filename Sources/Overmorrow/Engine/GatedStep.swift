/// A callback that has a gate: it goes when that is shut.
@usableFromInline
final class GatedCallback<Callback>: GateMember, @unchecked Sendable {
  // Sendable: the callback belongs to whoever has taken this out of the list.
  @usableFromInline var callback: Callback?
  /// The step, counted until the callback is taken, or has been dropped and the step been looked at.
  @usableFromInline let step: CoreRef
  /// Whether that is one of the main queue: who drops the callback may do so before the step's other traits are written.
  @usableFromInline let isOnMain: Bool

  /// Made before anybody else has seen the step.
  @inlinable
  init(_ callback: Callback, of step: CoreRef, _ gate: Gate) {
    self.callback = callback
    self.step = step
    isOnMain = step.isOnMain
    super.init(gate)
    step.retain()
    if !enter() {
      discard()
      step.suppressCallback()
      step.release()
    }
  }

  /// The callback, to be run or let go; `nil` if the gate has been shut. Called once.
  @inlinable
  func take() -> Callback? {
    guard leave() else { return nil }
    step.release()
    defer { callback = nil }
    return callback
  }

  @usableFromInline
  func discard() {
    if let callback = callback.take(), isOnMain { MainBound(consume callback).release() }
  }

  override func drop(into dropped: inout [GateMember]) {
    discard()
    dropped.append(self)
  }

  override func endStep() {
    step.suppressCallback()
    step.endUnseen()
    step.release()
  }
}

/// A step whose callback has a gate: as `S`, while that is open.
@usableFromInline
enum GatedStep<S: Step>: Step {
  @usableFromInline typealias Input = S.Input
  @usableFromInline typealias InputFailure = S.InputFailure
  @usableFromInline typealias Output = S.Output
  @usableFromInline typealias OutputFailure = S.OutputFailure
  @usableFromInline typealias Callback = GatedCallback<S.Callback>
  @inlinable static var traits: Traits { S.traits }

  @inlinable
  static func run(
    _ callback: GatedCallback<S.Callback>, _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> StepResult<S.Output, S.OutputFailure> {
    guard let callback = callback.take() else { return .result(S.pass(input)) }
    return S.run(callback, input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<S.Input, S.InputFailure>) -> PromiseResult<S.Output, S.OutputFailure> {
    S.pass(input)
  }

  @inlinable
  static func discard(_ callback: consuming GatedCallback<S.Callback>, of core: CoreRef) {
    if let callback = callback.take() { core.letGo(of: consume callback) }
  }
}

extension Promise {
  /// As `register`, for a step whose callback has a gate.
  @inlinable
  func registerGated<S: Step>(
    _: S.Type, on context: PromiseContext, gate: Gate, _ callback: S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    typealias Operations = StepOperations<GatedStep<S>>
    let child = PromiseHandle.makeStep(
      words: Operations.words, traits: Operations.traits, on: context, gate: gate,
      operations: { Operations.perform($0, $1, $2) })
    child.core.write(GatedCallback(callback, of: child.core, gate))
    withExtendedLifetime(handle) { child.core.register(on: handle.core) }
    return Promise<S.Output, S.OutputFailure>(child)
  }
}
