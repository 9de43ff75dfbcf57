import Overmorrow

// What runs work, with an error of a known type; and promises in `let`, `return` and argument position.

func throwing(_ numbers: [Int], _ limiter: PromiseLimiter, _ cache: PromiseCache<Int, String, LoadError>) {
  _ = limiter.run(on: .utility) { Promise { () async throws(LoadError) in try await load(1) } }
  _ = limiter.run(on: .utility) { keep(Promise { () async throws(LoadError) in try await load(1) }) }
  let ran: Promise<String, LoadError> = limiter.run(on: .utility) {
    Promise { () async throws(LoadError) in try await load(1) }
  }
  _ = ran
  _ = limiter.run(on: .utility) {
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  limiter.run(on: .utility) { () -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { show("\($0)") }
  _ = Promise.retry(on: .utility) { number in Promise { () async throws(LoadError) in try await load(number) } }
  _ = Promise.retry(on: .utility) { number in keep(Promise { () async throws(LoadError) in try await load(number) }) }
  let retried: Promise<String, LoadError> = Promise.retry(on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }
  _ = retried
  _ = Promise.retry(on: .utility) { number in
    show("again")
    return Promise { () async throws(LoadError) in try await load(number) }
  }
  Promise.retry(on: .utility) { number -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.catch { show("\($0)") }
  Promise<String, LoadError>.retry(on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }.then { print($0) }
  Promise<String, LoadError>.retry(on: .utility) { number in
    keep(Promise { () async throws(LoadError) in try await load(number) })
  }.then { print($0) }
  let again: Promise<String, LoadError> = Promise<String, LoadError>.retry(on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }
  _ = again
  _ = Promise<String, LoadError>.retry(on: .utility) { number in
    show("again")
    return Promise { () async throws(LoadError) in try await load(number) }
  }
  Promise<String, LoadError>.retry(on: .utility) { number -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.catch { show("\($0)") }
  _ = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }
  _ = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    keep(Promise { () async throws(LoadError) in try await load(number) })
  }
  let all: Promise<[String], LoadError> = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }
  _ = all
  _ = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    show("again")
    return Promise { () async throws(LoadError) in try await load(number) }
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.catch { show("\($0)") }
  cache.promise(for: 1, on: .utility) { number in Promise { () async throws(LoadError) in try await load(number) } }
    .then { print($0) }
  cache.promise(for: 1, on: .utility) { number in keep(Promise { () async throws(LoadError) in try await load(number) })
  }.then { print($0) }
  let cached: Promise<String, LoadError> = cache.promise(for: 1, on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }
  _ = cached
  _ = cache.promise(for: 1, on: .utility) { number in
    show("again")
    return Promise { () async throws(LoadError) in try await load(number) }
  }
  cache.promise(for: 1, on: .utility) { number -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.catch { show("\($0)") }
}

func throwingNow(_ promise: Promise<Int, LoadError>) -> Promise<String, LoadError> {
  let page = Promise { () async throws(LoadError) in try await load(1) }
  page.then { show($0) }
  let typed: Promise<String, LoadError> = Promise { () async throws(LoadError) in try await load(2) }
  typed.then { show($0) }
  let named = Promise<String, LoadError> { () async throws(LoadError) in try await load(3) }
  named.then { show($0) }
  Promise { () async throws(LoadError) in try await load(4) }.catch { show("\($0)") }
  keep(Promise { () async throws(LoadError) in try await load(5) }).catch { show("\($0)") }
  if named == typed { return Promise { () async throws(LoadError) in try await load(6) } }
  _ = keep(promise.flatMap { number in Promise { () async throws(LoadError) in try await load(number) } })
  let next: Promise<String, LoadError> = promise.flatMap(on: .utility) { number in
    Promise { () async throws(LoadError) in try await load(number) }
  }
  if next == named {
    return promise.flatMap { number in Promise { () async throws(LoadError) in try await load(number) } }
  }
  return promise.flatMapResult(on: .utility) { _ in Promise { () async throws(LoadError) in try await load(7) } }
}

func throwingAlone() -> Promise<String, LoadError> { Promise { () async throws(LoadError) in try await load(1) } }
