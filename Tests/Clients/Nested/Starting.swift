import Overmorrow

// What runs work; and promises in `let`, `return` and argument position.
//
// Tests compile this as it stands, and with other errors in its place.

func starting(_ numbers: [Int], _ limiter: PromiseLimiter, _ cache: PromiseCache<Int, String, any Error>) {
  limiter.run(on: .utility) { Promise { try await fetch(1) } }.then { print($0) }
  limiter.run(on: .utility) { keep(Promise { try await fetch(1) }) }.then { print($0) }
  let ran: Promise<String, any Error> = limiter.run(on: .utility) { Promise { try await fetch(1) } }
  _ = ran
  _ = limiter.run(on: .utility) {
    show("again")
    return Promise { try await fetch(1) }
  }
  limiter.run(on: .utility) { () -> Promise<String, any Error> in
    let made = Promise { try await fetch(1) }
    return made
  }.catch { show("\($0)") }
  Promise.retry(on: .utility) { number in Promise { try await fetch(number) } }.then { print($0) }
  Promise.retry(on: .utility) { number in keep(Promise { try await fetch(number) }) }.then { print($0) }
  let retried: Promise<String, any Error> = Promise.retry(on: .utility) { number in Promise { try await fetch(number) }
  }
  _ = retried
  _ = Promise.retry(on: .utility) { number in
    show("again")
    return Promise { try await fetch(number) }
  }
  Promise.retry(on: .utility) { number -> Promise<String, any Error> in
    let made = Promise { try await fetch(number) }
    return made
  }.catch { show("\($0)") }
  Promise<String, any Error>.retry(on: .utility) { number in Promise { try await fetch(number) } }.then { print($0) }
  Promise<String, any Error>.retry(on: .utility) { number in keep(Promise { try await fetch(number) }) }.then {
    print($0)
  }
  let again: Promise<String, any Error> = Promise<String, any Error>.retry(on: .utility) { number in
    Promise { try await fetch(number) }
  }
  _ = again
  _ = Promise<String, any Error>.retry(on: .utility) { number in
    show("again")
    return Promise { try await fetch(number) }
  }
  Promise<String, any Error>.retry(on: .utility) { number -> Promise<String, any Error> in
    let made = Promise { try await fetch(number) }
    return made
  }.catch { show("\($0)") }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in Promise { try await fetch(number) } }.then {
    print($0)
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in keep(Promise { try await fetch(number) }) }.then
  { print($0) }
  let all: Promise<[String], any Error> = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    Promise { try await fetch(number) }
  }
  _ = all
  _ = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    show("again")
    return Promise { try await fetch(number) }
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number -> Promise<String, any Error> in
    let made = Promise { try await fetch(number) }
    return made
  }.catch { show("\($0)") }
  cache.promise(for: 1, on: .utility) { number in Promise { try await fetch(number) } }.then { print($0) }
  cache.promise(for: 1, on: .utility) { number in keep(Promise { try await fetch(number) }) }.then { print($0) }
  let cached: Promise<String, any Error> = cache.promise(for: 1, on: .utility) { number in
    Promise { try await fetch(number) }
  }
  _ = cached
  _ = cache.promise(for: 1, on: .utility) { number in
    show("again")
    return Promise { try await fetch(number) }
  }
  cache.promise(for: 1, on: .utility) { number -> Promise<String, any Error> in
    let made = Promise { try await fetch(number) }
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
