/// One task that waits for a promise: a step whose callback is the task's continuation.
///
/// The task may be cancelled at any time, even before it waits. Both sides set a mark, and the second one ends the
/// wait. The claim on the step decides whether that or the result was first, so that the continuation is resumed once.
///
/// All mutable state is in the step, so the wait itself is a value: its copies are the same wait, and the task ends it
/// by ``finish()``.
///
/// ```
///            waiting               cancelled
///   nothing ─────────▶ waits       nothing ─────────▶ cancelled
///                        │ cancelled                     │ waiting
///                        ▼                               ▼
///                      ended, unless the result has been first
/// ```
@usableFromInline
struct TaskWait: Sendable {
  /// The step, counted until `finish`.
  @usableFromInline let core: CoreRef
  /// In the last word of the step's payload.
  private let marks: PayloadMarks

  private static var waits: UInt8 { 0b01 }
  private static var isCancelled: UInt8 { 0b10 }

  /// Makes a step, with `AwaitOperations`.
  ///
  /// - Parameter words: What the operations need of the payload.
  @usableFromInline
  init(words: Int, traits: Traits, operations: consuming @escaping Operations) {
    core = CoreRef.makeReporting(
      words: words + 1, traits: traits, on: .immediate, isKept: true, operations: operations)
    // One word more than the operations use.
    marks = PayloadMarks(of: core, word: words)
  }

  /// The wait is over, and ``cancel()`` is not called again. Called once.
  @usableFromInline
  func finish() {
    marks.end()
    _ = Owned(adopting: core)
  }

  /// The task is suspended, and its continuation is in the step: starts to wait for the promise, with one vote.
  @usableFromInline
  func start(on promise: PromiseHandle) {
    withExtendedLifetime(promise) { core.register(on: promise.core) }
    if marks.set(Self.waits) & Self.isCancelled != 0 { core.endWaiting() }
  }

  /// The task was cancelled: ends the wait, and withdraws the vote.
  @usableFromInline
  func cancel() {
    if marks.set(Self.isCancelled) & Self.waits != 0 { core.endWaiting() }
  }
}

extension Promise {
  /// The result, or `.cancelled` as soon as the task is.
  @inlinable
  @inline(never)
  nonisolated(nonsending) func waitForFinalResult() async -> PromiseResult<Value, Failure> {
    typealias Operations = AwaitOperations<Value, Failure>
    let wait = TaskWait(
      words: Operations.words, traits: Operations.traits, operations: { Operations.perform($0, $1, $2) })
    let result: PromiseResult<Value, Failure> = await withTaskCancellationHandler {
      await Operations.Continuation.stop { continuation in
        wait.core.write(continuation)
        wait.start(on: handle)
      }
    } onCancel: {
      wait.cancel()
    }
    wait.finish()
    return result
  }
}

/// The operations of a step that resumes a task with the result; with `.cancelled` when there is none.
@usableFromInline
enum AwaitOperations<Value: Sendable, Failure: Sendable> {
  @usableFromInline typealias Continuation = TaskContinuation<PromiseResult<Value, Failure>>

  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable static var words: Int { CoreRef.words(for: Continuation.self) }

  @inlinable
  static func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .run, .pass:
      let task = core.take(Continuation.self)
      task.resume(returning: source?.result(Value.self, Failure.self) ?? .cancelled)
    case .passWithout, .takeOut, .adopt, .destroyValue, .destroyError, .copyError, .findNote, .end: break
    }
    return .cancelled
  }
}
