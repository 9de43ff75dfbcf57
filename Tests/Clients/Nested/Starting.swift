import Overmorrow
import OvermorrowFlow

// Functions that start work, and promises in `let`, in `return` and as arguments.
//
// Tests compile this file as it is, and with other errors and other functions that start work substituted.

func starting(_ numbers: [Int], _ limiter: PromiseLimiter, _ cache: PromiseCache<Int, String, any Error>) {
  limiter.run(on: .utility) { Promise { try await fetch(0) } }.then { print($0) }
  limiter.run(on: .utility) { keep(Promise { try await fetch(0) }) }.then { print($0) }
  let ran: Promise<String, any Error> = limiter.run(on: .utility) { Promise { try await fetch(0) } }
  _ = ran
  _ = limiter.run(on: .utility) {
    show("again")
    return Promise { try await fetch(0) }
  }
  limiter.run(on: .utility) { () -> Promise<String, any Error> in
    let made = Promise { try await fetch(0) }
    return made
  }.catch { show("\($0)") }
}

func now(_ promise: Promise<Int, any Error>) -> Promise<String, any Error> {
  let page = Promise { try await fetch(1) }
  page.then { show($0) }
  let typed: Promise<String, any Error> = Promise { try await fetch(2) }
  typed.then { show($0) }
  let named = Promise<String, any Error> { try await fetch(3) }
  named.then { show($0) }
  Promise { try await fetch(4) }.catch { show("\($0)") }
  keep(Promise { try await fetch(5) }).catch { show("\($0)") }
  if named == typed { return Promise { try await fetch(6) } }
  _ = keep(promise.flatMap { number in Promise { try await fetch(number) } })
  let next: Promise<String, any Error> = promise.flatMap(on: .utility) { number in Promise { try await fetch(number) } }
  if next == named { return promise.flatMap { number in Promise { try await fetch(number) } } }
  return promise.flatMapResult(on: .utility) { _ in Promise { try await fetch(7) } }
}

func alone() -> Promise<String, any Error> { Promise { try await fetch(1) } }
