import Dispatch
@preconcurrency import ShallowPromises

// Callbacks of ShallowPromises are not `@Sendable`, and belong to no actor that the compiler knows of: what they share goes
// from one to the next as a value.

func length(of text: String) -> Promise<Int> {
  let promise = Promise<Int>()
  DispatchQueue.global().async { promise.fulfill(with: text.count) }
  return promise
}

func double(_ number: Int) -> Promise<Int> { Promise<Int>().fulfill(with: 2 * number) }

let done = DispatchSemaphore(value: 0)
length(of: "four").then(double).onSuccess { print($0) }.finally { done.signal() }
done.wait()
