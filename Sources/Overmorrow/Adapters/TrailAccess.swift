internal import OvermorrowDiagnostics
internal import OvermorrowEngine

// The functions by which the modules above the core say what their promises are for, in trails and in the list of
// pending promises.

extension Promise.Resolver {
  /// Records the key of the value that the promise is for. Does nothing if the promise has no note. The description of
  /// the key is code of the program, so no lock may be held.
  @usableFromInline
  package func noteKey<Key>(_ key: Key) {
    _ = object.withCore { PromiseNote.find($0)?.mark.detail = "key \"\("\(key)".prefix(100))\"" }
  }
}

extension WeakPromise {
  /// Records the attempt of a retry for which the promise waits. Does nothing if the promise has no note.
  package func noteAttempt(_ number: Int) {
    core.withCore { PromiseNote.find($0)?.mark.detail = "attempt \(number)" }
  }
}

extension Promise {
  /// Leaves the promise out of trails, because the library made it for its own use. Does nothing if the promise has no
  /// note.
  package func hideInTrails() { withExtendedLifetime(handle) { PromiseNote.find(handle.core)?.mark.hide() } }

  /// Like ``flatMapError(on:token:_:)``, for a step of the library that trails leave out. A request to cancel
  /// ends the step if nothing observes it.
  package func followError(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) -> Promise
  ) -> Promise {
    registerHidden(Passive<FlatMapErrorStep<Value, Failure, Failure>>.self, on: context, .init(transform))
  }

  /// Like ``flatMapResult(on:token:_:)``, for a step of the library that trails leave out. A request to cancel
  /// ends the step if nothing observes it.
  package func followResult(
    on context: PromiseContext, _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise
  ) -> Promise {
    registerHidden(Passive<FlatMapResultStep<Value, Failure, Value, Failure>>.self, on: context, .init(transform))
  }

  /// Registers a step that trails leave out. The step gets its note before it is registered, because the step may run
  /// inside the registration.
  private func registerHidden<S: Step>(
    _ step: S.Type, on context: PromiseContext, _ callback: S.Callback
  ) -> Promise where S.Input == Value, S.InputFailure == Failure, S.Output == Value, S.OutputFailure == Failure {
    let step = StepOperations<S>.makeStep(on: context, callback)
    withExtendedLifetime(handle) {
      PromiseNote.find(handle.core)?.noteChild(step.core, isHidden: true)
      step.core.register(on: handle.core)
    }
    return Promise(step)
  }
}

/// A step whose callback belongs to the library, and is not needed if nothing observes the step after a request to
/// cancel.
private enum Passive<S: Step>: Step {
  static var traits: Traits { S.traits.union(.passive) }

  static func run(
    _ callback: S.Callback, _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> PromiseStepResult<S.Output, S.OutputFailure> { S.run(callback, input) }

  static func forward(
    _ input: PromiseResult<S.Input, S.InputFailure>
  ) -> PromiseResult<S.Output, S.OutputFailure> { S.forward(input) }
}
