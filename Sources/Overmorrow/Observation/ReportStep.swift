/// A step that only reports: its own promise is of no interest to anybody.
@usableFromInline
enum ReportStep<Value: Sendable, Failure: Sendable, P: Participation>: Step {
  @inlinable static var traits: Traits { P.traits.union(.onAnything) }

  @inlinable
  static func run(
    _ callback: Reaction<PromiseResult<Value, Failure>>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Never, Never> {
    callback(input)
    return .result(.cancelled)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Never, Never> { .cancelled }
}

/// A step of the library's own, which is no part of anything: it does not count as having looked at an error.
enum LibraryPart: Participation {
  static var traits: Traits { .library }
}

extension Promise {
  /// Registers a step that only reports; or runs the callback at once, and makes none.
  @inlinable
  func report<P: Participation>(
    _: P.Type, on context: PromiseContext, gate: Gate?, _ callback: Reaction<PromiseResult<Value, Failure>>
  ) {
    typealias Report = ReportStep<Value, Failure, P>
    switch handle.service(of: Report.traits, on: context, gate) {
    case .register:
      // What a gate or a note keeps of a step needs a handle.
      if gate != nil || handle.core.needsHandle(forStepWith: Report.traits) {
        _ = register(Report.self, on: context, gate: gate, callback)
      } else {
        _ = registerBare(Report.self, on: context, isKept: false, callback)
      }
    case .pass: break
    case .run(let call):
      report(to: callback)
      call.end()
    case .runInPass: handle.core.serveInPass(Report.traits) { report(to: callback) }
    }
  }

  /// Calls a function with the result, which is there.
  @inlinable
  func report(to callback: Reaction<PromiseResult<Value, Failure>>) {
    if let input = handle.core.result(Value.self, Failure.self) { callback(input) }
  }

  /// Registers a step of a combinator, which takes part in cancellation, and is in the list then.
  @inlinable
  func report<S: Step>(
    _ step: S.Type, to steps: inout NewSteps, _ callback: S.Callback
  ) where S.Input == Value, S.InputFailure == Failure {
    if handle.core.needsHandle(forStepWith: S.traits) {
      steps.append(register(step, on: .immediate, gate: nil, callback).handle)
    } else {
      steps.append(registerBare(step, on: .immediate, isKept: true, callback))
    }
  }

  /// Makes a core without a handle, and registers it. It is counted for the caller if `isKept`, and may be gone otherwise.
  @inlinable
  func registerBare<S: Step>(
    _ step: S.Type, on context: PromiseContext, isKept: Bool, _ callback: S.Callback
  ) -> CoreRef where S.Input == Value, S.InputFailure == Failure {
    let core = CoreRef.makeReporting(
      words: StepOperations<S>.words, traits: StepOperations<S>.traits, on: context, isKept: isKept,
      operations: { StepOperations<S>.perform($0, $1, $2) })
    core.write(callback)
    withExtendedLifetime(handle) { core.report(on: handle.core) }
    return core
  }

  /// As `tap(on: .immediate)`, for the library itself.
  package func whenOver(_ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void) {
    report(LibraryPart.self, on: .immediate, gate: nil, .init(onComplete))
  }

  /// Whether there is a result, for code that does not look at it.
  package var isResolved: Bool { withExtendedLifetime(handle) { handle.core.outcome != nil } }
}
