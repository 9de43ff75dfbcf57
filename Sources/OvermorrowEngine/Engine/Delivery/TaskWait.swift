/// The wait of one task for a promise: a step whose callback is the task's continuation.
///
/// The task may be cancelled at any time, even before it waits. The start of the wait and the cancellation each set a
/// mark. The later of the two ends the wait. The claim on the step decides whether the cancellation or the result ends
/// the wait, so the continuation is resumed once.
///
/// All mutable state is in the step. The task ends the wait with ``finish()``.
///
/// The continuation carries no result. A third mark says whether the promise has a result. If a continuation is resumed
/// before its task has suspended, ThreadSanitizer does not see that the task continues after the resumption (Swift
/// 6.3). ThreadSanitizer sees this order because of the mark.
///
/// ```
///            waiting               cancelled
///   nothing ─────────▶ waits       nothing ─────────▶ cancelled
///                        │ cancelled                     │ waiting
///                        ▼                               ▼
///                      ended, unless the result has been first
/// ```
@usableFromInline
package struct TaskWait: ~Copyable, Sendable {
  private let step: Owned
  /// The marks, which are in the last word of the step's payload.
  private let marks: PayloadMarks

  private static var waits: UInt8 { 0b001 }
  private static var isCancelled: UInt8 { 0b010 }
  private static var hasResult: UInt8 { 0b100 }

  /// Creates a wait with a step that resumes a task.
  @usableFromInline
  package init() {
    self.init(
      words: AwaitOperations.words, traits: AwaitOperations.traits, operations: { AwaitOperations.perform($0, $1, $2) })
  }

  /// - Parameter words: The number of payload words that the operations need.
  init(words: Int, traits: Traits, operations: consuming @escaping Operations) {
    step = CoreState.makeKept(words: words + 1, traits: traits, operations: operations)
    // The marks are in the word after the words that the operations use.
    marks = PayloadMarks(in: step.core, word: words)
    marks.initialize()
  }

  /// Records that the promise has a result. The step calls this function before the step resumes the task.
  fileprivate static func noteResult(_ step: CoreRef) {
    _ = PayloadMarks(in: step, word: AwaitOperations.words).set(hasResult)
  }

  /// Ends the wait. Called once, when ``cancel()`` can no longer be called.
  ///
  /// - Returns: Whether the wait ended with the result of the promise.
  @usableFromInline
  package func finish() -> Bool {
    let hasResult = marks.contain(Self.hasResult)
    marks.deinitialize()
    return hasResult
  }

  /// Starts to wait for the promise, with one vote. The task is suspended, and is resumed at the end of the wait.
  @usableFromInline
  package func start(on promise: PromiseHandle, resuming task: TaskContinuation<Void>) {
    start(on: promise, calling: task)
  }

  func start<Callback>(on promise: PromiseHandle, calling callback: Callback) {
    // Unsafe: the step is not registered yet, so its payload is empty, and only this thread touches the payload.
    unsafe step.core.write(callback)
    withExtendedLifetime(promise) { step.core.register(on: promise.core) }
    if marks.set(Self.waits) & Self.isCancelled != 0 { step.core.cancelWaiting() }
  }

  /// Ends the wait of a cancelled task, and withdraws the vote. If the wait has not started yet, the later call of
  /// ``start(on:)`` ends the wait.
  @usableFromInline
  package func cancel() {
    if marks.set(Self.isCancelled) & Self.waits != 0 { step.core.cancelWaiting() }
  }
}

/// The operations of a step that resumes a task.
private enum AwaitOperations {
  static var traits: Traits { [.takesPart, .onAnything, .resumesTask] }

  static var words: Int { MemoryLayout<TaskContinuation<Void>>.payloadWords }

  static func perform(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .run, .forward:
      // Unsafe: `start` has written the continuation, and the step runs once.
      let task = unsafe core.take(TaskContinuation<Void>.self)
      if source != nil { TaskWait.noteResult(core) }
      task.resume(returning: ())
    case .forwardWithoutCallback, .takeOut, .adopt, .destroyValue, .destroyError, .copyError, .findNote, .willEnd: break
    }
    return .cancelled
  }
}
