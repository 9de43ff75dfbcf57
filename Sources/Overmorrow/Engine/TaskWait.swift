/// One task that waits for a promise: a step whose callback is the task's continuation.
///
/// The task may be cancelled at any time, even before it waits. Both sides then leave a mark, and whoever comes second
/// ends the wait; the claim on the step decides whether that or the result was first, so that the continuation is
/// resumed once.
///
/// All that changes lies in the step, so that the wait itself is a value: its copies are the same wait, and the task ends it by
/// ``finish()``.
///
/// ```
///            waiting               cancelled
///   nothing ─────────▶ waits       nothing ─────────▶ cancelled
///                        │ cancelled                     │ waiting
///                        ▼                               ▼
///                      ended, unless the result has been first
/// ```
@usableFromInline
@safe
struct TaskWait: @unchecked Sendable {
  // Sendable: what the pointer leads to is atomic.

  /// The step, counted until `finish`.
  @usableFromInline let core: CoreRef
  /// In the last word of the step's payload.
  private let marks: UnsafeMutablePointer<Atomic<UInt8>>

  private static var waits: UInt8 { 0b01 }
  private static var isCancelled: UInt8 { 0b10 }

  /// Makes a step, with `AwaitOperations`.
  ///
  /// - Parameter words: What the operations need of the payload.
  @usableFromInline
  init(words: Int, traits: Traits, operations: consuming @escaping Operations) {
    core = CoreRef.makeReporting(
      words: words + 1, traits: traits, on: .immediate, isKept: true, operations: operations)
    // Unsafe, here and where it is read: one word more than the operations use, which nobody has seen, and which the count keeps.
    unsafe marks = (core.payload + words * 8).bindMemory(to: Atomic<UInt8>.self, capacity: 1)
    unsafe marks.initialize(to: Atomic(0))
  }

  /// The wait is over, and so are the calls of ``cancel()``. To be called once.
  @usableFromInline
  func finish() {
    unsafe marks.deinitialize(count: 1)
    core.release()
  }

  /// The task has stopped, its continuation is in the step: it waits for the promise, with one vote.
  @usableFromInline
  func start(on promise: PromiseHandle) {
    withExtendedLifetime(promise) { core.register(on: promise.core) }
    // Acquire-release: whoever comes second sees what the first has done.
    if unsafe marks.pointee.bitwiseOr(Self.waits, ordering: .acquiringAndReleasing).oldValue & Self.isCancelled != 0 {
      end()
    }
  }

  /// The task has been cancelled: ends the wait, and takes the vote back.
  @usableFromInline
  func cancel() {
    if unsafe marks.pointee.bitwiseOr(Self.isCancelled, ordering: .acquiringAndReleasing).oldValue & Self.waits != 0 {
      end()
    }
  }

  private func end() {
    guard core.claim() else { return }
    // Before the request, which may run cancel handlers: the task must not wait for those.
    _ = core.perform(.pass, nil)
    // The list of the source still has this core, with the pending count; publishing gives up another.
    core.retain()
    core.requestCancel()
    core.publish(.cancelled)
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
      // Unsafe: resumed once, by the operation of the step, which takes it out of the payload.
      await unsafe withUnsafeContinuation { continuation in
        wait.core.write(unsafe TaskContinuation(continuation: continuation))
        wait.start(on: handle)
      }
    } onCancel: {
      wait.cancel()
    }
    wait.finish()
    return result
  }
}

/// A task that has stopped; it has to be resumed once.
@usableFromInline
@safe
struct TaskContinuation<Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let continuation: UnsafeContinuation<PromiseResult<Value, Failure>, Never>

  @inlinable
  init(continuation: UnsafeContinuation<PromiseResult<Value, Failure>, Never>) {
    unsafe self.continuation = continuation
  }
}

/// The operations of a step that resumes a task with the result; with `.cancelled` when there is none.
@usableFromInline
enum AwaitOperations<Value: Sendable, Failure: Sendable> {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable static var words: Int { CoreRef.words(for: TaskContinuation<Value, Failure>.self) }

  @inlinable
  static func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> Verdict {
    switch operation {
    case .run, .pass:
      let task = core.take(TaskContinuation<Value, Failure>.self)
      // Unsafe: the payload is empty now, so nobody can do this again.
      unsafe task.continuation.resume(returning: source?.result(Value.self, Failure.self) ?? .cancelled)
    case .passWithout, .takeOut, .adopt, .destroyValue, .destroyError, .copyError, .findNote: break
    }
    return .cancelled
  }
}
