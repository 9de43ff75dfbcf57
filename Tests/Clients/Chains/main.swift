// A program that stops with 1,000 pending promises in chains of several kinds, for `.ci/steps/75-debugger`. Before and
// afterwards, other promises end, and their memory is partly used again.
import Dispatch
import Overmorrow
import OvermorrowFlow

struct Flaw: Error {}

nonisolated(unsafe) var kept: [Any] = []
let queue = DispatchQueue(label: "orders")
queue.suspend()

/// Returns a promise whose resolver is kept, but not called.
func load() -> Promise<String, any Error> {
  let (promise, resolver) = Promise<String, any Error>.makeWithResolver()
  kept.append(resolver)
  return promise
}

func makeEnding() {
  for number in 0..<2000 {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    let sum = promise.map(on: .immediate) { $0 + number }.then(on: .immediate) { _ in }
    promise.map(on: .immediate) { "\($0) is a text that lies in memory of its own" }.always(on: .immediate) { _ in }
    switch number % 3 {
    case 0: resolver.fulfill(with: number)
    case 1: resolver.reject(with: Flaw())
    default: resolver.cancel()
    }
    sum.always(on: .immediate) { _ in }
    if number % 10 == 0 { kept.append(sum) }
    if number % 7 == 0 { kept.append((0..<number % 40).map { "\($0) of \(number)" }) }
  }
}

/// Makes 25 pending promises that a list shows.
func makePending() {
  // A chain that only its first resolver keeps: 5.
  load().map(on: .utility) { $0.count }.flatMap(on: .main) { _ in load() }.then(on: .main) { print($0) }
    .always(on: .immediate) { _ in }
  // A step and a body that wait for a queue: 2.
  kept.append(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 })
  kept.append(Promise<Int, any Error>(on: .queue(queue)) { $0.fulfill(with: 1) })
  // A promise that adopts: 3.
  let (adopter, resolver) = Promise<String, any Error>.makeWithResolver()
  resolver.resolve(with: load())
  adopter.always(on: .immediate) { _ in }
  // A combinator, without its internal steps: 6.
  when(fulfilled: [load(), load(), load()]).then(on: .main) { print($0) }.always(on: .immediate) { _ in }
  // A timer, a step with a timeout and the internal step of the timeout, and a task: 5.
  kept.append(Promise<Int, any Error>(on: .immediate, fulfilled: 1, after: .seconds(3600)))
  kept.append(load().timeout(on: .main, .seconds(3600)))
  kept.append(
    Promise<Int, any Error> { () async throws -> Int in
      try await Task.sleep(for: .seconds(3600))
      return 1
    })
  // A promise with a cancel handler, a handler of errors, and a step that waits for the main queue: 4.
  let (asked, handled) = Promise<Int, any Error>.makeWithResolver()
  handled.onRequestCancel(on: .immediate) { $0.cancel() }
  kept.append((asked, handled))
  kept.append(load().catch(on: .immediate) { _ in })
  kept.append(Promise<Int, any Error>(fulfilled: 1).map(on: .main) { $0 })
}

makeEnding()
for _ in 0..<40 { makePending() }
makeEnding()
fatalError("stopped")
