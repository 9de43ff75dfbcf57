import Foundation

/// Runs work on a thread with a stack of so many bytes, and comes back when it is done.
func onThread<T>(stackSize: Int, _ work: @escaping @Sendable () -> T) -> T where T: Sendable {
  let result = ResultBox<T>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    result.set(work())
    done.signal()
  }
  thread.stackSize = stackSize
  thread.start()
  done.wait()
  return result.get()
}

private final class ResultBox<T: Sendable>: @unchecked Sendable {
  // Sendable: written before the semaphore is signalled, read after it was waited for.
  private var value: T?

  func set(_ value: T) { self.value = value }
  func get() -> T { value! }
}
