public import OvermorrowEngine

/// The future result of some work. Any number of callbacks can observe a promise. If all observers of a promise have
/// been asked to cancel and no copy of the promise is left, the work of the promise is asked to cancel.
///
/// A promise resolves at most once, with a ``PromiseResult``: a value, an error, or cancelled. The result never
/// changes. `Failure` need not conform to `Error`. All copies of a promise refer to the same promise and are equal.
///
/// ```swift
/// let greeting = Promise<String, any Error>(on: .utility) { resolver in
///   resolver.fulfill(with: try loadGreeting())
/// }
/// greeting.map(on: .utility) { $0.uppercased() }
///   .then { print($0) }
///   .catch { print("no greeting: \($0)") }
/// ```
///
/// **A promise may be used from any thread.** Each callback runs on the ``PromiseContext`` that it was registered with.
///
/// Order: the observers of a promise run, or are submitted to their contexts, in the order of registration. A step of a
/// chain never starts before the previous step has finished.
public struct Promise<Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let handle: PromiseHandle

  @inlinable
  init(_ handle: PromiseHandle) { self.handle = handle }

  /// The result, or `nil` while the promise is unresolved.
  ///
  /// Reading this property never waits for the work and never changes the result. If a read returns an error, the
  /// diagnostics count the error as observed.
  @inlinable
  public var result: PromiseResult<Value, Failure>? {
    withExtendedLifetime(handle) {
      let result = handle.core.result(as: PromiseResult<Value, Failure>.self)
      if case .error? = result { handle.core.didReadError() }
      return result
    }
  }
}

extension Promise: Hashable {
  /// Returns whether both values are copies of one promise.
  public static func == (left: Promise, right: Promise) -> Bool { left.handle === right.handle }

  /// Hashes the identity of the promise.
  public func hash(into hasher: inout Hasher) { hasher.combine(handle.identity) }
}

extension Promise: CustomStringConvertible {
  /// The types of the promise, and its result or "unresolved".
  public var description: String {
    let state = result.map { "\($0)" } ?? "unresolved"
    return "Promise<\(Value.self), \(Failure.self)>(\(state))"
  }
}

extension Promise {
  /// Registers the step of an operator. If this promise is resolved and the step makes a result of its own, calls
  /// `observeClosed`, which registers the step only if the callback cannot run at once.
  @inlinable
  func observe<S: Step>(
    _ step: S.Type, on context: PromiseContext, gate: Gate?, _ callback: S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    if S.traits.contains(.makesResult), handle.needsNoStep {
      return observeClosed(step, on: context, gate: gate, callback)
    }
    return register(step, on: context, gate: gate, callback)
  }

  /// Runs the callback of a step that makes a result of its own, or skips the callback if it is not meant for the
  /// result. If the callback cannot run at once, registers the step instead. This promise must be resolved.
  @inlinable
  @inline(never)
  func observeClosed<S: Step>(
    _ step: S.Type, on context: PromiseContext, gate: Gate?, _ callback: S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    switch handle.plan(of: S.traits, isImmediate: context.isImmediate, gate) {
    case .register: return register(step, on: context, gate: gate, callback)
    case .nothingToRun:
      return Promise<S.Output, S.OutputFailure>(S.forward(handle.core.finalResult()), inPlaceOfStepOf: handle)
    case .run(let call):
      let output = result(of: step, callback)
      call.leave()
      return Promise<S.Output, S.OutputFailure>(output, inPlaceOfStepOf: handle)
    case .runInPass:
      var output = PromiseResult<S.Output, S.OutputFailure>.cancelled
      handle.core.serveInPass(S.traits) { output = result(of: step, callback) }
      return Promise<S.Output, S.OutputFailure>(output, inPlaceOfStepOf: handle)
    }
  }

  /// Runs a step with the result of this promise, and returns the result of the step. This promise must be resolved.
  /// The step must not return a promise.
  @inlinable
  func result<S: Step>(of step: S.Type, _ callback: S.Callback) -> PromiseResult<S.Output, S.OutputFailure>
  where S.Input == Value, S.InputFailure == Failure {
    guard case .result(let output) = S.run(callback, handle.core.finalResult()) else { return .cancelled }
    return output
  }

  /// Makes a core for a step, and registers the core on this promise.
  @inlinable
  func register<S: Step>(
    _ step: S.Type, on context: PromiseContext, gate: Gate?, _ callback: S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    let child = StepOperations<S>.makeStep(on: context, callback)
    withExtendedLifetime(handle) { child.core.register(on: handle.core, under: gate) }
    return Promise<S.Output, S.OutputFailure>(child)
  }

  /// Makes a core for a step, and registers the core on this promise. `callback` makes the step's callback from the
  /// address of the step's promise.
  @inlinable
  func register<S: Step>(
    _ step: S.Type, on context: PromiseContext, makingCallback callback: (_ address: UInt) -> S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    let child = StepOperations<S>.makeStep(on: context, makingCallback: callback)
    withExtendedLifetime(handle) { child.core.register(on: handle.core, under: nil) }
    return Promise<S.Output, S.OutputFailure>(child)
  }

  /// Registers a step that forwards the result. If this promise is resolved, and the callback can run at once or is not
  /// meant for the result, no step is registered.
  @inlinable
  func observe<S: Observer>(
    _ step: S.Type, on context: PromiseContext, gate: Gate?, _ callback: S.Callback
  ) -> Promise where S.Input == Value, S.InputFailure == Failure {
    switch handle.plan(of: S.traits, isImmediate: context.isImmediate, gate) {
    case .register: return register(step, on: context, gate: gate, callback)
    case .nothingToRun: return self
    case .run(let call):
      let error = runCallback(of: step, callback)
      call.leave()
      return error.map { Promise(S.failing(with: $0), inPlaceOfStepOf: handle) } ?? self
    case .runInPass: return observeInPass(step, callback)
    }
  }

  /// Runs the callback of an `Observer`, and returns the error of the callback, if any. This promise must be resolved.
  @inlinable
  @inline(never)
  func runCallback<S: Observer>(
    of step: S.Type, _ callback: S.Callback
  ) -> Failure? where S.Input == Value, S.InputFailure == Failure {
    S.runCallback(callback, handle.core.finalResult())
  }

  /// Runs the callback of an `Observer` inside a pass. This promise must be resolved.
  @inlinable
  @inline(never)
  func observeInPass<S: Observer>(
    _ step: S.Type, _ callback: S.Callback
  ) -> Promise where S.Input == Value, S.InputFailure == Failure {
    var error: Failure?
    handle.core.serveInPass(S.traits) { error = runCallback(of: step, callback) }
    return error.map { Promise(S.failing(with: $0), inPlaceOfStepOf: handle) } ?? self
  }

  /// Creates a resolved promise in place of a step. The step needs no core, because the source of the step is resolved.
  @inlinable
  init(_ result: consuming PromiseResult<Value, Failure>, inPlaceOfStepOf source: PromiseHandle) {
    self.init(resolvedTo: consume result)
    withExtendedLifetime(source) { handle.replaceStep(of: source.core) }
  }
}
