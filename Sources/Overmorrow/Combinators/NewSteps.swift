internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// Steps that are registered together, before they are shared.
@usableFromInline
struct NewSteps: ~Copyable {
  private(set) var cores = OwnedCores()

  /// - Parameter number: The number of steps to expect.
  @usableFromInline
  init(reserving number: Int) { cores.reserve(number) }

  /// Makes a step of a combinator, and registers the step on `source`. The step takes part in cancellation. The caller
  /// has the handle of `source`.
  @inlinable
  mutating func register<S: Step>(_ step: S.Type, on source: CoreRef, _ callback: S.Callback) {
    add(StepOperations<S>.makeKept(callback), waitingFor: source)
  }

  @usableFromInline
  mutating func add(_ step: consuming Owned, waitingFor source: CoreRef) {
    let core = step.core
    cores.keep(step)
    core.register(on: source)
  }

  /// Notes that a promise waits for its inputs through these steps.
  ///
  /// Not inlined into a function that consumes the steps: there, Swift 6.2 would take the counts apart without their
  /// `deinit`, which its own verification rejects.
  @inline(never)
  borrowing func note(asInputsOf core: CoreRef) {
    for step in cores.all {
      CoreNote.follower(of: core)?.noteInput(step)
      CoreNote.follower(of: step)?.noteInternal()
    }
  }
}
