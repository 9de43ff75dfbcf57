/// An operator, as the engine sees it: types, and two functions without state.
///
/// Every operator is one of these and one call of `Promise.observe`. What is common to all of them is in the engine.
@usableFromInline
protocol Step: SendableMetatype {
  associatedtype Input: Sendable
  associatedtype InputFailure: Sendable
  associatedtype Output: Sendable
  associatedtype OutputFailure: Sendable
  /// The user's closure; kept in the payload until it runs.
  ///
  /// A function that returns nothing or a promise, or throws, costs less in a structure (`Reaction`, `PromiseMaker`, or
  /// one of the step's own): as a value of any type, it has to be wrapped in another one, which is an allocation if it
  /// captures anything. One that returns what the step's generic parameters name is kept as it is.
  associatedtype Callback

  /// For which outcomes the callback runs, and how the promise takes part in cancellation.
  static var traits: Traits { get }

  /// Runs the callback. Called for the outcomes that `traits` name.
  static func run(
    _ callback: Callback, _ input: PromiseResult<Input, InputFailure>
  ) -> StepResult<Output, OutputFailure>

  /// The result of the step for a result that the callback does not get, because `traits` do not name it, or because a
  /// token suppressed the callback. If that cannot be had without the callback, it is cancelled. By default, what the
  /// types of the input and of the step have in common is passed.
  static func pass(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure>
}

extension Step {
  @inlinable
  static func pass(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> { .cancelled }
}

extension Step where OutputFailure == InputFailure {
  /// The error; what needed the value is cancelled.
  @inlinable
  static func pass(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> {
    if case .error(let error) = input { .error(error) } else { .cancelled }
  }
}

extension Step where Output == Input {
  /// The value; what needed the error is cancelled.
  @inlinable
  static func pass(_ input: PromiseResult<Input, InputFailure>) -> PromiseResult<Output, OutputFailure> {
    if case .value(let value) = input { .value(value) } else { .cancelled }
  }
}

/// What a step ends with.
@usableFromInline
package enum StepResult<Value: Sendable, Failure: Sendable> {
  case result(PromiseResult<Value, Failure>)
  case promise(Promise<Value, Failure>)

  @inlinable
  package static func value(_ value: Value) -> StepResult { .result(.value(value)) }

  @inlinable
  package static func error(_ error: Failure) -> StepResult { .result(.error(error)) }
}

extension StepResult where Failure: Error {
  /// The result of the step for an error that a closure has thrown.
  @inlinable
  package static func thrown(_ error: Failure) -> StepResult { .result(.thrown(error)) }
}

extension PromiseResult where Failure: Error {
  /// The result of the step for an error that a closure has thrown: `CancellationError` cancels.
  @inlinable
  package static func thrown(_ error: Failure) -> PromiseResult {
    error is CancellationError ? .cancelled : .error(error)
  }
}

/// The operations of a core that runs a step.
@usableFromInline
enum StepOperations<S: Step> {
  @inlinable
  static func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .run:
      let callback = core.take(S.Callback.self)
      guard let source, source.outcome != nil else { return .cancelled }
      return core.end(with: output(of: callback, source))
    case .pass:
      core.releaseCallback(of: core.take(S.Callback.self))
      fallthrough
    case .passWithout:
      guard let source, source.outcome != nil else { return .cancelled }
      return core.end(with: output(of: source))
    case .takeOut: return .answer(DroppedCallback(core.take(S.Callback.self), of: core))
    case .adopt, .destroyValue, .destroyError, .copyError, .findNote, .end:
      return RootOperations<S.Output, S.OutputFailure>.perform(operation, core, source)
    }
  }

  // Separate functions, so that the input is off the stack before the output is written: see `CoreRef.end(with:)`.

  @inlinable
  static func output(of callback: S.Callback, _ source: CoreRef) -> StepResult<S.Output, S.OutputFailure> {
    S.run(callback, source.finalResult())
  }

  @inlinable
  static func output(of source: CoreRef) -> StepResult<S.Output, S.OutputFailure> {
    .result(S.pass(source.finalResult()))
  }

  @inlinable
  static var traits: Traits { S.traits.union(RootOperations<S.Output, S.OutputFailure>.traits) }

  /// The words of payload that such a core needs.
  @inlinable
  static var words: Int {
    // At least one, for a promise to adopt.
    max(1, CoreRef.words(for: S.Callback.self), RootOperations<S.Output, S.OutputFailure>.words)
  }
}

/// The operations of a core that runs nothing: it is resolved by a resolver, or has been from the start.
@usableFromInline
enum RootOperations<Value: Sendable, Failure: Sendable> {
  @inlinable
  static func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .adopt:
      guard let source, source.outcome != nil else { return .cancelled }
      return core.end(with: StepResult<Value, Failure>.result(source.finalResult()))
    case .destroyValue: core.destroy(Value.self)
    case .destroyError: core.destroy(Failure.self)
    case .copyError: return .answer(ErrorCopy(core, Failure.self))
    case .run, .pass, .passWithout, .takeOut, .findNote, .end: break
    }
    return .cancelled
  }

  @inlinable
  static var traits: Traits { .ofResult(Value.self, Failure.self) }

  /// The words of payload that such a core needs.
  @inlinable
  static var words: Int { max(CoreRef.words(for: Value.self), CoreRef.words(for: Failure.self)) }
}

extension CoreRef {
  /// Writes what a step ends with.
  ///
  /// One function with one pattern: in code that is not specialised, each temporary is as large as the value, on the
  /// stack.
  @inlinable
  func end<Value, Failure>(with result: consuming StepResult<Value, Failure>) -> OperationResult {
    switch result {
    case .result(.value(let value)):
      write(value)
      return .value
    case .result(.error(let error)):
      write(error)
      return .error
    case .result(.cancelled): return .cancelled
    case .promise(let promise):
      write(promise.handle)
      return .promise
    }
  }

  /// Releases the callback of a step, or what contains it, that will not run.
  @inlinable
  @inline(__always)
  func releaseCallback<Callback>(of callback: consuming Callback) {
    if isOnMain { MainBound(callback).release() }
  }

  /// Whether this is a step of the main queue.
  @usableFromInline
  var isOnMain: Bool { traits.has(.onMain) }
}
