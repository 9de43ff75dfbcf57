import Overmorrow

// What runs work, with no error at all; and promises in `let`, `return` and argument position.

func computing(_ numbers: [Int], _ limiter: PromiseLimiter, _ cache: PromiseCache<Int, String, Never>) {
  limiter.run(on: .utility) { Promise { await compute(1) } }.then { print($0) }
  limiter.run(on: .utility) { keep(Promise { await compute(1) }) }.then { print($0) }
  let ran: Promise<String, Never> = limiter.run(on: .utility) { Promise { await compute(1) } }
  _ = ran
  _ = limiter.run(on: .utility) {
    show("again")
    return Promise { await compute(1) }
  }
  limiter.run(on: .utility) { () -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { show("\($0)") }
  Promise.retry(on: .utility) { number in Promise { await compute(number) } }.then { print($0) }
  Promise.retry(on: .utility) { number in keep(Promise { await compute(number) }) }.then { print($0) }
  let retried: Promise<String, Never> = Promise.retry(on: .utility) { number in Promise { await compute(number) } }
  _ = retried
  _ = Promise.retry(on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  Promise.retry(on: .utility) { number -> Promise<String, Never> in
    let made = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
  Promise<String, Never>.retry(on: .utility) { number in Promise { await compute(number) } }.then { print($0) }
  Promise<String, Never>.retry(on: .utility) { number in keep(Promise { await compute(number) }) }.then { print($0) }
  let again: Promise<String, Never> = Promise<String, Never>.retry(on: .utility) { number in
    Promise { await compute(number) }
  }
  _ = again
  _ = Promise<String, Never>.retry(on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  Promise<String, Never>.retry(on: .utility) { number -> Promise<String, Never> in
    let made = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in Promise { await compute(number) } }.then {
    print($0)
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in keep(Promise { await compute(number) }) }.then {
    print($0)
  }
  let all: Promise<[String], Never> = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    Promise { await compute(number) }
  }
  _ = all
  _ = when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  when(fulfilled: numbers, maxConcurrent: 4, on: .utility) { number -> Promise<String, Never> in
    let made = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
  cache.promise(for: 1, on: .utility) { number in Promise { await compute(number) } }.then { print($0) }
  cache.promise(for: 1, on: .utility) { number in keep(Promise { await compute(number) }) }.then { print($0) }
  let cached: Promise<String, Never> = cache.promise(for: 1, on: .utility) { number in Promise { await compute(number) }
  }
  _ = cached
  _ = cache.promise(for: 1, on: .utility) { number in
    show("again")
    return Promise { await compute(number) }
  }
  cache.promise(for: 1, on: .utility) { number -> Promise<String, Never> in
    let made = Promise { await compute(number) }
    return made
  }.catch { show("\($0)") }
}

func computingNow(_ promise: Promise<Int, Never>) -> Promise<String, Never> {
  let page = Promise { await compute(1) }
  page.then { show($0) }
  let typed: Promise<String, Never> = Promise { await compute(2) }
  typed.then { show($0) }
  let named = Promise<String, Never> { await compute(3) }
  named.then { show($0) }
  Promise { await compute(4) }.catch { show("\($0)") }
  keep(Promise { await compute(5) }).catch { show("\($0)") }
  if named == typed { return Promise { await compute(6) } }
  _ = keep(promise.flatMap { number in Promise { await compute(number) } })
  let next: Promise<String, Never> = promise.flatMap(on: .utility) { number in Promise { await compute(number) } }
  if next == named { return promise.flatMap { number in Promise { await compute(number) } } }
  return promise.flatMapResult(on: .utility) { _ in Promise { await compute(7) } }
}

func computingAlone() -> Promise<String, Never> { Promise { await compute(1) } }
