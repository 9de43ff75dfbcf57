/// A step that only reports: its own promise is of no interest to anybody.
@usableFromInline
enum ReportStep<Value: Sendable, Failure: Sendable, P: Participation>: Step {
  @inlinable static var traits: Traits { P.traits.union(.onAnything) }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> Void, _ input: PromiseResult<Value, Failure>
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
    _: P.Type, on context: PromiseContext, gate: Gate?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) {
    typealias Report = ReportStep<Value, Failure, P>
    switch handle.service(of: Report.traits, on: context, gate) {
    case .register: _ = register(Report.self, on: context, gate: gate, callback)
    case .pass: break
    case .run:
      handle.core.serveAtOnce(Report.traits) {
        if let input = handle.core.result(Value.self, Failure.self) { callback(input) }
      }
    }
  }

  /// As `tap(on: .immediate)`, for the library itself.
  package func whenOver(_ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void) {
    report(LibraryPart.self, on: .immediate, gate: nil, onComplete)
  }

  /// Whether there is a result, for code that does not look at it.
  package var isResolved: Bool { withExtendedLifetime(handle) { handle.core.outcome != nil } }
}
