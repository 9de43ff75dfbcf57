/// A suspended task, which must be resumed once.
///
/// The type is generic, although the library resumes only with `Void`. Without the type parameter, Swift 6.3 compiles
/// one more task switch, of 260 instructions, into each wait.
@usableFromInline
@safe
package struct TaskContinuation<Result: Sendable>: Sendable {
  @usableFromInline let continuation: UnsafeContinuation<Result, Never>

  @inlinable
  init(_ continuation: UnsafeContinuation<Result, Never>) { unsafe self.continuation = continuation }

  /// Suspends the calling task until it is resumed.
  @inlinable
  @inline(__always)
  package nonisolated(nonsending) static func stop(_ body: (TaskContinuation) -> Void) async -> Result {
    // Unsafe: the step that keeps the continuation takes it out of its payload, so the step resumes the task once.
    await unsafe withUnsafeContinuation { body(unsafe TaskContinuation($0)) }
  }

  @inlinable
  func resume(returning result: Result) { unsafe continuation.resume(returning: result) }
}
