internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// An object that receives the results of the inputs of one `when`. The first input that decides determines the result.
/// If no input decides, the result is made when the last input has finished.
///
/// The gathering retains the resolver, and only the inputs' steps retain the gathering. So if all these steps are
/// released before the promise is resolved, the promise is cancelled.
@usableFromInline
final class Gathering<Output: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline
  typealias Conclusion = @Sendable () -> PromiseResult<Output, Failure>

  /// The result after the last input: the conclusion, or the first decision.
  private struct Ending {
    var conclude: Conclusion
    var isDecided = false
    /// The failure of the input that has decided.
    var failure: RecordedFailure?
  }

  private let resolver: Promise<Output, Failure>.Resolver
  private let unfinished: Countdown
  private let ending: Guarded<Ending>
  /// Whether a decision is delivered only after the other inputs have finished.
  private let isJoining: Bool
  /// The token whose invalidation asks the inputs to cancel after a decision; `nil` if a decision does not ask the
  /// inputs to cancel.
  private let cancelToken: PromiseInvalidationToken?
  private let steps: WaitingSteps

  /// - Parameters:
  ///   - count: The number of inputs.
  ///   - cancelling: Whether a decision asks all the inputs to cancel.
  ///   - joining: Whether a decision is delivered only after all inputs have finished.
  ///   - conclude: A closure that makes the result if no input decides.
  @usableFromInline
  init(
    resolver: Promise<Output, Failure>.Resolver, count: Int, cancelling: Bool, joining: Bool,
    conclude: @escaping Conclusion
  ) {
    self.resolver = resolver
    unfinished = Countdown(count)
    ending = Guarded(Ending(conclude: conclude))
    isJoining = joining
    cancelToken = cancelling ? PromiseInvalidationToken(invalidateOnDeinit: false) : nil
    // If a decision asks the inputs to cancel, the decision is needed even if the promise is not observed.
    steps = WaitingSteps(mayEndUnobserved: !cancelling)
    resolver.wait(through: steps)
  }

  deinit { steps.dropWaiting() }

  /// Registers a step that reports the result of an input and has one vote on the input. The caller then passes `steps`
  /// to ``wait(for:)``.
  @inlinable
  func register<R: GatheringRule>(
    _ promise: Promise<R.Value, R.InputFailure>, by rule: R.Type, into steps: inout NewSteps
  ) where R.Output == Output, R.Failure == Failure {
    withExtendedLifetime(promise) { steps.register(GatherStep<R>.self, on: promise.handle.core, self) }
  }

  /// Whether a decision asks all the inputs to cancel. If so, the caller passes each input to ``cancelOnDecision(_:)``.
  @usableFromInline
  var cancelsInputs: Bool { cancelToken != nil }

  /// Registers an input to be asked to cancel after a decision, if a decision asks the inputs to cancel. The caller
  /// calls this function before any input can decide.
  @usableFromInline
  func cancelOnDecision<Value, InputFailure>(_ promise: Promise<Value, InputFailure>) {
    cancelToken?.requestCancelOnInvalidate(promise)
  }

  /// Makes the promise wait for its inputs through these steps. A request to cancel withdraws one vote on each input.
  /// When the promise is resolved, the steps lose their votes. The caller has the promise.
  @usableFromInline
  func wait(for new: consuming NewSteps) {
    // Inputs that are resolved may have decided already. The core still exists, because the caller has its handle.
    let core = resolver.object.core
    if core.traits.contains(.checked) { new.note(asInputsOf: core) }
    steps.add(new.cores)
  }

  @inlinable
  func register<R: GatheringRule>(
    _ promises: [Promise<R.Value, R.InputFailure>], by rule: R.Type
  ) where R.Output == Output, R.Failure == Failure {
    if cancelsInputs { for promise in promises { cancelOnDecision(promise) } }
    var steps = NewSteps(reserving: promises.count)
    for promise in promises { steps.register(GatherStep<R>.self, on: promise.handle.core, self) }
    withExtendedLifetime(promises) {}
    wait(for: steps)
  }

  /// Handles the end of an input. If `decision` is `nil`, the input does not decide.
  @inlinable
  func report(_ decision: PromiseResult<Output, Failure>?) {
    if let decision { decide(decision) } else { finish() }
  }

  @usableFromInline
  func finish() {
    if unfinished.isLast() { conclude() }
  }

  /// Handles the decision of an input. Only the first decision counts.
  @usableFromInline
  func decide(_ result: PromiseResult<Output, Failure>) {
    if isJoining {
      store(result)
      cancelToken?.invalidate()
      finish()
    } else {
      // While trails are recorded, only one decision may change the record of the promise.
      if !DiagnosticsSwitch.recordsTrails || takeDecision() {
        resolver.resolve(with: result, of: .ofInput)
      }
      steps.dropWaiting()
      cancelToken?.invalidate()
    }
  }

  /// Resolves the promise after the last input has finished.
  @usableFromInline
  func conclude() {
    let (conclude, failure) = ending.withLock { ($0.conclude, $0.failure) }
    resolver.resolve(with: conclude(), of: failure)
    steps.dropWaiting()
  }

  /// Returns whether no input has decided before.
  private func takeDecision() -> Bool {
    ending.withLock { ending in
      defer { ending.isDecided = true }
      return !ending.isDecided
    }
  }

  /// Stores the first decision until the last input has finished, and releases the results of the inputs.
  private func store(_ result: PromiseResult<Output, Failure>) {
    let failure = RecordedFailure.ofInput
    let old = ending.withLock { ending -> Conclusion? in
      if ending.isDecided { return nil }
      defer { ending = Ending(conclude: { result }, isDecided: true, failure: failure) }
      return ending.conclude
    }
    withExtendedLifetime(old) {}
  }
}

/// The rule by which an input decides the result of a combinator.
@usableFromInline
protocol GatheringRule: SendableMetatype {
  associatedtype Value: Sendable
  associatedtype InputFailure: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Sendable

  /// Returns the result that an input decides on its own, or `nil` if the input does not decide.
  static func decision(of input: PromiseResult<Value, InputFailure>) -> PromiseResult<Output, Failure>?
}

/// A step that reports the result of an input.
@usableFromInline
enum GatherStep<R: GatheringRule>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ gathering: Gathering<R.Output, R.Failure>, _ input: PromiseResult<R.Value, R.InputFailure>
  ) -> PromiseStepResult<Never, Never> {
    gathering.report(R.decision(of: input))
    return .result(.cancelled)
  }
}
