/// A task that has stopped; it has to be resumed once.
@usableFromInline
@safe
struct TaskContinuation<Result: Sendable>: Sendable {
  @usableFromInline let continuation: UnsafeContinuation<Result, Never>

  @inlinable
  init(_ continuation: UnsafeContinuation<Result, Never>) { unsafe self.continuation = continuation }

  /// Stops the task that calls this, until it is resumed.
  @inlinable
  @inline(__always)
  nonisolated(nonsending) static func stop(_ body: (TaskContinuation) -> Void) async -> Result {
    // Unsafe: the step that keeps the continuation takes it out of its payload, and so resumes it once.
    await unsafe withUnsafeContinuation { body(unsafe TaskContinuation($0)) }
  }

  @inlinable
  func resume(returning result: Result) { unsafe continuation.resume(returning: result) }
}
