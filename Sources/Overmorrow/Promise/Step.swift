public import OvermorrowEngine

/// The part of an operator that the engine uses: its types, and two functions without state.
///
/// Each operator consists of a type that conforms to this protocol, and of a call that registers a step, such as
/// `Promise.observe`. The engine does what all operators have in common.
@usableFromInline
protocol Step: SendableMetatype {
  associatedtype Input: Sendable
  associatedtype InputFailure: Sendable
  associatedtype Output: Sendable
  associatedtype OutputFailure: Sendable
  /// The user's closure. The closure stays in the payload until it runs or is released.
  ///
  /// A function that throws, or returns `Void` or a promise, is stored in a structure: `Reaction`, `PromiseMaker`,
  /// `Throwing`, or a structure of the step. If such a function were stored directly as a generic value, the compiler
  /// would wrap the function in a thunk. A thunk needs an allocation if the function captures anything. A function that
  /// returns a generic parameter of the step and does not throw needs no thunk and is stored directly.
  associatedtype Callback

  /// The outcomes for which the callback runs, and how the step takes part in cancellation.
  static var traits: Traits { get }

  /// Runs the callback. The engine calls this function only for outcomes that are in `traits`.
  static func run(
    _ callback: Callback, _ input: PromiseResult<Input, InputFailure>
  ) -> PromiseStepResult<Output, OutputFailure>

  /// Returns the result of the step for the case that the callback does not run. The callback does not run if the
  /// outcome is not in `traits`, or if a token has suppressed the callback. Returns `cancelled` if only the callback
  /// could make a result. By default, a value is forwarded if the input and the step have the same value type, and an
  /// error is forwarded if they have the same failure type.
  static func forward(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure>
}

extension Step {
  @inlinable
  static func forward(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> {
    .cancelled
  }
}

extension Step where OutputFailure == InputFailure {
  /// Forwards an error. Any other input gives `cancelled`.
  @inlinable
  static func forward(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> {
    if case .error(let error) = input { .error(error) } else { .cancelled }
  }
}

extension Step where Output == Input {
  /// Forwards a value. Any other input gives `cancelled`.
  @inlinable
  static func forward(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> {
    if case .value(let value) = input { .value(value) } else { .cancelled }
  }
}

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
  ) -> PromiseStepResult<Output, OutputFailure> {
    if let error = runCallback(callback, input) { .result(failing(with: error)) } else { .result(input) }
  }

  @inlinable
  @inline(__always)
  static func forward(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> { input }

  @inlinable
  static func failing(with error: InputFailure) -> PromiseResult<Output, OutputFailure> { .error(error) }
}

/// The output of a step: a result, or a promise to adopt.
///
/// The closures of an adapter's operators return it. See <doc:WritingAnAdapter>.
public enum PromiseStepResult<Value: Sendable, Failure: Sendable> {
  /// The step ends with this result.
  case result(PromiseResult<Value, Failure>)
  /// The step follows this promise, and forwards requests to cancel to it.
  case promise(Promise<Value, Failure>)

  /// The step ends with a value.
  @inlinable
  public static func value(_ value: Value) -> PromiseStepResult { .result(.value(value)) }

  /// The step ends with an error.
  @inlinable
  public static func error(_ error: Failure) -> PromiseStepResult { .result(.error(error)) }
}

extension PromiseStepResult where Failure: Error {
  /// Returns the result of the step for an error that a closure has thrown.
  @inlinable
  static func thrown(_ error: Failure) -> PromiseStepResult { .result(.thrown(error)) }
}

extension PromiseResult where Failure: Error {
  /// Returns the result for an error that a closure has thrown: `cancelled` for a `CancellationError`, and the error
  /// itself for any other error.
  @inlinable
  package static func thrown(_ error: Failure) -> PromiseResult {
    error is CancellationError ? .cancelled : .error(error)
  }
}

/// The operations of a core that runs a step.
@usableFromInline
enum StepOperations<S: Step>: CoreOperations {
  @usableFromInline typealias Callback = S.Callback
  @usableFromInline typealias Value = S.Output
  @usableFromInline typealias Failure = S.OutputFailure

  @inlinable
  static func perform(
    _ operation: CoreOperation, _ payload: borrowing Payload<Self>, _ source: CoreRef?
  ) -> OperationResult {
    switch operation {
    case .run:
      let callback = payload.takeCallback()
      guard let source, source.outcome != nil else { return .cancelled }
      return payload.write(output(of: callback, source), ranAfter: source)
    case .forward:
      payload.dropCallback()
      fallthrough
    case .forwardWithoutCallback:
      guard let source, source.outcome != nil else { return .cancelled }
      return payload.write(output(of: source))
    case .takeOut: return .answer(DroppedCallback(payload.takeCallback(), of: payload.core))
    case .adopt, .destroyValue, .destroyError, .copyError, .findNote, .willEnd:
      return performAlone(operation, payload, source)
    }
  }

  // These functions are separate, so that the input has left the stack before the output is written: see
  // `Payload.write(_:)`.

  @inlinable
  static func output(of callback: S.Callback, _ source: CoreRef) -> PromiseStepResult<S.Output, S.OutputFailure> {
    S.run(callback, source.finalResult())
  }

  @inlinable
  static func output(of source: CoreRef) -> PromiseStepResult<S.Output, S.OutputFailure> {
    .result(S.forward(source.finalResult()))
  }

  @inlinable
  static var traits: Traits { S.traits.union(.ofResult(Value.self, Failure.self)) }

  @inlinable
  static var words: Int {
    // At least one word, for the handle of a promise to adopt.
    max(1, MemoryLayout<S.Callback>.payloadWords, wordsOfResult)
  }
}

/// The operations of a core without a step. A resolver resolves such a core, or the core is resolved from the start.
@usableFromInline
enum RootOperations<Value: Sendable, Failure: Sendable>: CoreOperations {
  @usableFromInline typealias Callback = Never

  @inlinable
  static func perform(
    _ operation: CoreOperation, _ payload: borrowing Payload<Self>, _ source: CoreRef?
  ) -> OperationResult {
    performAlone(operation, payload, source)
  }

  @inlinable
  static var traits: Traits { .ofResult(Value.self, Failure.self) }

  @inlinable
  static var words: Int { wordsOfResult }
}

extension PromiseResult: CoreResult {}

extension Payload {
  /// Writes the result of a step, or the promise to adopt.
  ///
  /// In unspecialised code, each temporary takes as much stack as the value. To have few temporaries, this is one
  /// function with one `switch`.
  ///
  /// - Parameter source: The source of the step if the callback has run; `nil` if the step only forwards a result.
  @inlinable
  @inline(__always)
  func write(
    _ output: consuming PromiseStepResult<Types.Value, Types.Failure>, ranAfter source: CoreRef? = nil
  ) -> OperationResult {
    switch output {
    case .result(.value(let value)): return write(value: value)
    case .result(.error(let error)):
      if let source { core.noteRejected(after: source) }
      return write(error: error)
    case .result(.cancelled): return .cancelled
    case .promise(let promise): return write(promise.handle)
    }
  }

  /// Releases the callback without running it. If this is a step of the main queue, the callback is released on that
  /// queue.
  @inlinable
  @inline(__always)
  func dropCallback() {
    if core.isOnMain { MainBound(takeCallback()).release() } else { _ = takeCallback() }
  }
}
