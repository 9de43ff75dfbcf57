import Foundation
import Overmorrow
import Testing

/// Runs work on a thread of its own, where it may block, and waits for it with a bound.
func onOwnThread<T: Sendable>(
  _ what: String, stackSize: Int = 512 << 10, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: @escaping @Sendable () -> T
) async throws -> T {
  let result = Holder<T>()
  let done = Latch()
  let thread = Thread {
    result.value = work()
    done.signal()
  }
  thread.stackSize = stackSize
  thread.start()
  await done.wait(for: what, sourceLocation: sourceLocation)
  return try #require(result.value, "no result of \(what)", sourceLocation: sourceLocation)
}

/// The thread that this code runs on; to be compared while the thread lives.
var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
