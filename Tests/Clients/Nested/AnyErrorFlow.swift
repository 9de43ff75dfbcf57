import Overmorrow

// What runs work, with any error; and promises in `let`, `return` and argument position.

func throwing(_ numbers: [Int], _ limiter: PromiseLimiter, _ cache: PromiseCache<Int, String, any Error>) {
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

func throwingNow(_ promise: Promise<Int, any Error>) -> Promise<String, any Error> {
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

func throwingAlone() -> Promise<String, any Error> { Promise { try await fetch(1) } }

func computing(_ numbers: [Int], _ limiter: PromiseLimiter, _ cache: PromiseCache<Int, String, any Error>) {
  limiter.run(on: .utility) { Promise { await compute(1) } }.then { print($0) }
  limiter.run(on: .utility) { keep(Promise { await compute(1) }) }.then { print($0) }
  let ran: Promise<String, any Error> = limiter.run(on: .utility) { Promise { await compute(1) } }
  _ = ran
  _ = limiter.run(on: .utility) {
    show("again")
    return Promise { await compute(1) }
  }
  limiter.run(on: .utility) { () -> Promise<String, any Error> in
    let made: Promise<String, any Error> = Promise { await compute(1) }
    return made
  }.catch { show("\($0)") }
  Promise.retry(on: .utility) { number in Promise { await compute(number) } }.then { print($0) }
  Promise.retry(on: .utility) { number in keep(Promise { await compute(number) }) }.then { print($0) }
  let retried: Promise<String, any Error> = Promise.retry(on: .utility) { number in Promise { await compute(number) } }
  _ = retried
  _ = Promise.retry(on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  Promise.retry(on: .utility) { number -> Promise<String, any Error> in
    let made: Promise<String, any Error> = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
  Promise<String, any Error>.retry(on: .utility) { number in Promise { await compute(number) } }.then { print($0) }
  Promise<String, any Error>.retry(on: .utility) { number in keep(Promise { await compute(number) }) }.then {
    print($0)
  }
  let again: Promise<String, any Error> = Promise<String, any Error>.retry(on: .utility) { number in
    Promise { await compute(number) }
  }
  _ = again
  _ = Promise<String, any Error>.retry(on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  Promise<String, any Error>.retry(on: .utility) { number -> Promise<String, any Error> in
    let made: Promise<String, any Error> = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in Promise { await compute(number) } }.then {
    print($0)
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in keep(Promise { await compute(number) }) }.then {
    print($0)
  }
  let all: Promise<[String], any Error> = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    Promise { await compute(number) }
  }
  _ = all
  _ = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number -> Promise<String, any Error> in
    let made: Promise<String, any Error> = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
  cache.promise(for: 1, on: .utility) { number in Promise { await compute(number) } }.then { print($0) }
  cache.promise(for: 1, on: .utility) { number in keep(Promise { await compute(number) }) }.then { print($0) }
  let cached: Promise<String, any Error> = cache.promise(for: 1, on: .utility) { number in
    Promise { await compute(number) }
  }
  _ = cached
  _ = cache.promise(for: 1, on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  cache.promise(for: 1, on: .utility) { number -> Promise<String, any Error> in
    let made: Promise<String, any Error> = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
}

func computingNow(_ promise: Promise<Int, any Error>) -> Promise<String, any Error> {
  let page = Promise { await compute(1) }
  page.then { show($0) }
  let typed: Promise<String, any Error> = Promise { await compute(2) }
  typed.then { show($0) }
  let named = Promise<String, any Error> { await compute(3) }
  named.then { show($0) }
  Promise { await compute(4) }.catch { show("\($0)") }
  keep(Promise { await compute(5) }).catch { show("\($0)") }
  if named == typed { return Promise { await compute(6) } }
  _ = keep(promise.flatMap { number in Promise { await compute(number) } })
  let next: Promise<String, any Error> = promise.flatMap(on: .utility) { number in Promise { await compute(number) } }
  if next == named { return promise.flatMap { number in Promise { await compute(number) } } }
  return promise.flatMapResult(on: .utility) { _ in Promise { await compute(7) } }
}

func computingAlone() -> Promise<String, any Error> { Promise { await compute(1) } }
