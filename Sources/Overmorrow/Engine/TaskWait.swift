internal import Synchronization

/// One task that waits for a promise: a step whose callback is the task's continuation.
///
/// The task may be cancelled at any time, even before it waits. Both sides then leave a mark, and whoever comes second
/// ends the wait; the claim on the step decides whether that or the result was first, so that the continuation is
/// resumed once.
///
/// ```
///            waiting               cancelled
///   nothing ─────────▶ waits       nothing ─────────▶ cancelled
///                        │ cancelled                     │ waiting
///                        ▼                               ▼
///                      ended, unless the result has been first
/// ```
final class TaskWait<Value: Sendable, Failure: Sendable>: Sendable {
  private let step: PromiseHandle
  private let marks = Atomic<UInt8>(0)

  private static var waits: UInt8 { 0b01 }
  private static var isCancelled: UInt8 { 0b10 }

  init() {
    typealias Operations = StepOperations<AwaitStep<Value, Failure>>
    step = PromiseHandle.makeStep(
      words: Operations.words, traits: Operations.traits, on: .immediate, gate: nil,
      operations: { Operations.perform($0, $1, $2) })
  }

  /// The result of the promise, or `.cancelled` as soon as the task is.
  nonisolated(nonsending) func result(of promise: Promise<Value, Failure>) async -> PromiseResult<Value, Failure> {
    await withTaskCancellationHandler {
      // Unsafe: resumed once, by whoever has the claim on the step, which is the callback or `end`.
      await unsafe withUnsafeContinuation { unsafe start(TaskContinuation(continuation: $0), on: promise) }
    } onCancel: {
      cancel()
    }
  }

  /// The task has stopped, and waits for the promise, with one vote.
  private func start(_ continuation: TaskContinuation<Value, Failure>, on promise: Promise<Value, Failure>) {
    step.core.write(continuation)
    withExtendedLifetime(promise) { step.register(on: promise.handle.core) }
    // Acquire-release: whoever comes second sees what the first has done.
    if marks.bitwiseOr(Self.waits, ordering: .acquiringAndReleasing).oldValue & Self.isCancelled != 0 { end() }
  }

  /// The task has been cancelled: ends the wait, and takes the vote back.
  private func cancel() {
    if marks.bitwiseOr(Self.isCancelled, ordering: .acquiringAndReleasing).oldValue & Self.waits != 0 { end() }
  }

  private func end() {
    guard step.core.claim() else { return }
    let continuation = step.core.take(TaskContinuation<Value, Failure>.self)
    // Before the request, which may run cancel handlers: the task must not wait for those.
    continuation.resume(with: .cancelled)
    // The list of the source still has this core, with the pending count; publishing gives up another.
    step.core.retain()
    step.core.requestCancel()
    step.core.publish(.cancelled)
  }
}

/// A task that has stopped; it has to be resumed once.
@safe
struct TaskContinuation<Value: Sendable, Failure: Sendable>: Sendable {
  let continuation: UnsafeContinuation<PromiseResult<Value, Failure>, Never>

  /// Called once, as `TaskWait` ensures.
  func resume(with result: PromiseResult<Value, Failure>) { unsafe continuation.resume(returning: result) }
}

/// Resumes a task with the result.
enum AwaitStep<Value: Sendable, Failure: Sendable>: Step {
  static var traits: Traits { [.takesPart, .onAnything] }

  static func run(
    _ continuation: TaskContinuation<Value, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Never, Never> {
    continuation.resume(with: input)
    return .result(.cancelled)
  }

  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Never, Never> { .cancelled }
}
