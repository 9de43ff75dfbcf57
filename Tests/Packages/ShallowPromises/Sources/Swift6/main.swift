import Dispatch
@preconcurrency import ShallowPromises

// Callbacks of ShallowPromises are not `@Sendable`. So a callback written in main-actor code is isolated to the main
// actor, and must be registered `in: .main`. These callbacks are written in nonisolated code.

func length(of text: String) -> Promise<Int> {
  let promise = Promise<Int>()
  DispatchQueue.global().async { promise.fulfill(with: text.count) }
  return promise
}

func double(_ number: Int) -> Promise<Int> { Promise<Int>().fulfill(with: 2 * number) }

func printDouble() {
  let done = DispatchSemaphore(value: 0)
  length(of: "four").then(double).onSuccess { print($0) }.finally { done.signal() }
  done.wait()
}

printDouble()
