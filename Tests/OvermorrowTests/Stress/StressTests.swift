import Foundation
import Testing

/// Tests that take a processor or two: one after the other, so that the races among them are real.
@Suite(.serialized) struct StressTests {}

/// Runs work on a thread of its own with a small stack, without blocking the one that waits.
func onSmallStack<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: work()) }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}

/// How many links a chain has. Deep enough under a sanitizer, too, to overflow any stack.
let manyLinks = isSanitized ? 100_000 : 200_000
