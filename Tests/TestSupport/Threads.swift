package import Dispatch
internal import Foundation
package import Testing

/// The stack size of threads that tests start, in bytes: as small as that of Dispatch's threads on Apple's platforms.
private let smallStack = 512 << 10

/// Runs work that may block on its own thread, and waits for it with a time limit.
package func onOwnThread<T: Sendable>(
  _ what: String, stackSize: Int = smallStack, within bound: DispatchTimeInterval = waitLimit,
  sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping @Sendable () -> T
) async throws -> T {
  let result = Holder<T>()
  let done = Latch()
  let thread = Thread {
    result.value = work()
    done.signal()
  }
  thread.stackSize = stackSize
  thread.start()
  await done.wait(for: what, within: bound, sourceLocation: sourceLocation)
  return try #require(result.value, "no result: \(what)", sourceLocation: sourceLocation)
}

/// Runs deeply nested work (up to a million links) on a thread with a small stack.
package func onSmallStack<T: Sendable>(
  sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping @Sendable () -> T
) async throws -> T {
  // ThreadSanitizer takes about 100 µs per link.
  try await onOwnThread(
    "the work on a small stack", within: .seconds(300), sourceLocation: sourceLocation, work)
}

/// The identity of the current thread, valid while the thread lives.
package var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

/// Runs work on a thread with a stack of the given size in bytes, and blocks until it is done.
package func onThread<T: Sendable>(stackSize: Int = smallStack, _ work: @escaping @Sendable () -> T) -> T {
  let result = Holder<T>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    result.value = work()
    done.signal()
  }
  thread.stackSize = stackSize
  thread.start()
  done.wait()
  guard let value = result.value else { preconditionFailure("the work has no result") }
  return value
}
