public import OvermorrowEngine

/// A step that only reports a result. The promise of the step is not used.
@usableFromInline
enum ReportStep<Value: Sendable, Failure: Sendable, P: Participation>: Step {
  @inlinable static var traits: Traits { P.traits.union(.onAnything) }

  @inlinable
  static func run(
    _ callback: Reaction<PromiseResult<Value, Failure>>, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<Never, Never> {
    callback.call(input)
    return .result(.cancelled)
  }
}

/// The participation of a step that the library makes for itself. The diagnostics do not count this step as an observer
/// of an error.
enum LibraryPart: Participation {
  static var traits: Traits { .library }
}

extension Promise {
  /// Registers a step that only reports the result. If the promise is resolved and the callback can run at once, runs
  /// the callback without a step.
  @inlinable
  func report<P: Participation>(
    _: P.Type, on context: PromiseContext, gate: Gate?, _ callback: Reaction<PromiseResult<Value, Failure>>
  ) {
    typealias Report = ReportStep<Value, Failure, P>
    switch handle.plan(of: Report.traits, isImmediate: context.isImmediate, gate) {
    case .register:
      let core = StepOperations<Report>.makeReporting(on: context, callback)
      withExtendedLifetime(handle) { core.register(on: handle.core, under: gate) }
    case .nothingToRun: break
    case .run(let call):
      report(to: callback)
      call.leave()
    case .runInPass: handle.core.serveInPass(Report.traits) { report(to: callback) }
    }
  }

  /// Calls a function with the result. The promise must be resolved.
  @inlinable
  func report(to callback: Reaction<PromiseResult<Value, Failure>>) {
    if let input = handle.core.result(as: PromiseResult<Value, Failure>.self) { callback.call(input) }
  }

  /// Calls a closure of the library with the result, like `tap(on: .immediate)`. The diagnostics do not count this call
  /// as a read of an error.
  package func whenResolved(_ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void) {
    report(LibraryPart.self, on: .immediate, gate: nil, .init(onComplete))
  }

  /// Like ``whenResolved(_:)``, except that a promise that was asked to cancel need not stay for the closure. When
  /// nothing else observes such a promise, it ends, and the closure gets `.cancelled`.
  ///
  /// - Parameter isReader: Whether the closure counts as an observer of an error.
  @inlinable
  package func whenResolvedOrUnneeded(
    isReader: Bool = false, _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) {
    if isReader {
      report(PassiveReader.self, on: .immediate, gate: nil, .init(onComplete))
    } else {
      report(PassivePart.self, on: .immediate, gate: nil, .init(onComplete))
    }
  }

  /// Whether the promise is resolved. Unlike a read of `result`, a read of this property does not count as reading an
  /// error.
  package var isResolved: Bool { withExtendedLifetime(handle) { handle.core.outcome != nil } }
}
