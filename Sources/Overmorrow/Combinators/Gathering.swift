/// Receives the results of the inputs of one `when`. The first input that decides resolves the promise, or the end of
/// the last.
///
/// It holds the resolver, and only the inputs' steps hold it: when no input can report any more, the promise is
/// cancelled.
@usableFromInline
final class Gathering<Output: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline
  typealias Conclusion = @Sendable () -> PromiseResult<Output, Failure>

  /// The result after the last input: the conclusion, or an earlier decision.
  private struct Ending {
    var conclude: Conclusion
    var isDecided = false
  }

  private let resolver: Promise<Output, Failure>.Resolver
  private let unfinished: Countdown
  private let ending: Guarded<Ending>
  /// Whether a decision waits for the other inputs.
  private let isJoining: Bool
  /// Cancels the inputs after a decision; `nil` if it does not.
  private let inputs: PromiseInvalidationToken?
  private let steps: WaitingSteps

  /// - Parameters:
  ///   - count: The number of inputs.
  ///   - cancelling: Whether a decision asks all the inputs to cancel.
  ///   - joining: Whether the promise, once decided, waits until all the inputs have finished.
  ///   - conclude: Makes the result if no input decides.
  @usableFromInline
  init(
    resolver: Promise<Output, Failure>.Resolver, count: Int, cancelling: Bool, joining: Bool,
    conclude: @escaping Conclusion
  ) {
    self.resolver = resolver
    unfinished = Countdown(count)
    ending = Guarded(Ending(conclude: conclude))
    isJoining = joining
    inputs = cancelling ? PromiseInvalidationToken(invalidateOnDeinit: false) : nil
    // A decision that asks the other inputs has an effect even if the promise is not observed.
    steps = WaitingSteps(mayEndUnobserved: !cancelling)
    resolver.wait(through: steps)
  }

  deinit { steps.end() }

  /// Makes an input report, through a step that has the vote. The caller passes the list to ``wait(for:)``.
  @inlinable
  func register<R: GatheringRule>(
    _ promise: Promise<R.Value, R.InputFailure>, by rule: R.Type, into steps: inout NewSteps
  ) where R.Output == Output, R.Failure == Failure {
    withExtendedLifetime(promise) { steps.register(GatherStep<R>.self, on: promise.handle.core, self) }
  }

  /// Whether a decision asks all the inputs to cancel: then the caller passes each to ``askOnDecision(_:)``.
  @usableFromInline
  var asksInputs: Bool { inputs != nil }

  /// Asks an input to cancel when another one decides. Called before any of them can decide.
  @usableFromInline
  func askOnDecision<Value, InputFailure>(_ promise: Promise<Value, InputFailure>) {
    inputs?.requestCancelOnInvalidate(promise)
  }

  /// Passes a request to cancel on to each input, as one vote; drops the votes with the decision.
  @usableFromInline
  func wait(for new: consuming NewSteps) {
    resolver.producer.withCore { new.follow($0) }
    steps.add(new.cores)
  }

  /// Registers inputs of one type.
  @inlinable
  func register<R: GatheringRule>(
    _ promises: [Promise<R.Value, R.InputFailure>], by rule: R.Type
  ) where R.Output == Output, R.Failure == Failure {
    if asksInputs { for promise in promises { askOnDecision(promise) } }
    var steps = NewSteps(reserving: promises.count)
    for promise in promises { steps.register(GatherStep<R>.self, on: promise.handle.core, self) }
    withExtendedLifetime(promises) {}
    wait(for: steps)
  }

  /// An input has finished.
  @inlinable
  func report(_ decision: PromiseResult<Output, Failure>?) {
    if let decision { decide(decision) } else { finish() }
  }

  /// An input has finished, and leaves it to the others.
  @usableFromInline
  func finish() {
    if unfinished.isLast() { conclude() }
  }

  /// An input has decided; the first decision counts.
  @usableFromInline
  func decide(_ result: PromiseResult<Output, Failure>) {
    if isJoining {
      keep(result)
      inputs?.invalidate()
      finish()
    } else {
      resolver.resolve(with: result)
      steps.end()
      inputs?.invalidate()
    }
  }

  /// All inputs have finished.
  @usableFromInline
  func conclude() {
    resolver.resolve(with: ending.withLock { $0.conclude }())
    steps.end()
  }

  /// Keeps a decision, and releases what the inputs have left.
  private func keep(_ result: PromiseResult<Output, Failure>) {
    let old = ending.withLock { ending -> Conclusion? in
      if ending.isDecided { return nil }
      defer { ending = Ending(conclude: { result }, isDecided: true) }
      return ending.conclude
    }
    withExtendedLifetime(old) {}
  }
}

/// When a combinator is decided.
@usableFromInline
protocol GatheringRule: SendableMetatype {
  associatedtype Value: Sendable
  associatedtype InputFailure: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Sendable

  /// The decision that this input makes alone; `nil` leaves it to the others.
  static func decision(of input: PromiseResult<Value, InputFailure>) -> PromiseResult<Output, Failure>?
}

/// Reports an input's result.
@usableFromInline
enum GatherStep<R: GatheringRule>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ gathering: Gathering<R.Output, R.Failure>, _ input: PromiseResult<R.Value, R.InputFailure>
  ) -> StepResult<Never, Never> {
    gathering.report(R.decision(of: input))
    return .result(.cancelled)
  }
}
