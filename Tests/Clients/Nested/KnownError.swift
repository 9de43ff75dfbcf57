import Overmorrow

// An error of a known type. Swift takes what a closure throws for `any Error` unless the closure says otherwise, for
// `Result { try … }` just as for `Promise { try await … }`; so the closure says it.

/// In the closures of `Promise`.
func throwing(_ promise: Promise<Int, LoadError>, _ text: Promise<String, LoadError>) {
  let (numbers, texts) = (promise, text)
  numbers.flatMap(on: .utility) { number in Promise { () async throws(LoadError) in try await load(number) } }.then {
    show($0)
  }
  numbers.flatMap(on: .utility) { number in keep(Promise { () async throws(LoadError) in try await load(number) }) }
    .then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let next = number + 1
    return Promise { () async throws(LoadError) in try await load(next) }
  }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError(on: .utility) { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = texts.flatMapError(on: .utility) { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = texts.flatMapError(on: .utility) { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  texts.flatMapError(on: .utility) { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = numbers.flatMapResult(on: .utility) { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  numbers.flatMapResult(on: .utility) { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then(on: .utility) { number in _ = Promise { () async throws(LoadError) in try await load(number) } }
    .catch(on: .utility) { _ in _ = keep(Promise { () async throws(LoadError) in try await load(1) }) }
    .always(on: .utility) { _ in
      let made = Promise { () async throws(LoadError) in try await load(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .onCancel(on: .utility) { _ = Promise { () async throws(LoadError) in try await load(1) } }
    .map(on: .utility) { number in Promise { () async throws(LoadError) in try await load(number) } }
    .then(on: .utility) { page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { error in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { result in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _ in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return "none"
  }
  numbers.flatMap { number in Promise { () async throws(LoadError) in try await load(number) } }.then { show($0) }
  numbers.flatMap { number in keep(Promise { () async throws(LoadError) in try await load(number) }) }.then { show($0) }
  numbers.flatMap { number in
    let next = number + 1
    return Promise { () async throws(LoadError) in try await load(next) }
  }.then { show($0) }
  numbers.flatMap { number in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = texts.flatMapError { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = texts.flatMapError { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  texts.flatMapError { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = numbers.flatMapResult { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = numbers.flatMapResult { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  numbers.flatMapResult { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then { number in _ = Promise { () async throws(LoadError) in try await load(number) } }
    .catch { _ in _ = keep(Promise { () async throws(LoadError) in try await load(1) }) }
    .always { _ in
      let made = Promise { () async throws(LoadError) in try await load(1) }
      made.always { _ in show("made") }
    }
    .tap { _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .onCancel { _ = Promise { () async throws(LoadError) in try await load(1) } }
    .map { number in Promise { () async throws(LoadError) in try await load(number) } }
    .then { page in page.always { _ in show("page") } }
  _ = texts.mapError { error in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return error
  }
  _ = texts.mapResult { result in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return result
  }
  _ = texts.recover { _ in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return "none"
  }
}

/// In the closures of `TokenPromise`.
func throwing(_ promise: Promise<Int, LoadError>, _ text: Promise<String, LoadError>, token: PromiseInvalidationToken) {
  let (numbers, texts) = (promise.withToken(token), text.withToken(token))
  numbers.flatMap(on: .utility) { number in Promise { () async throws(LoadError) in try await load(number) } }.then {
    show($0)
  }
  numbers.flatMap(on: .utility) { number in keep(Promise { () async throws(LoadError) in try await load(number) }) }
    .then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let next = number + 1
    return Promise { () async throws(LoadError) in try await load(next) }
  }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError(on: .utility) { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = texts.flatMapError(on: .utility) { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = texts.flatMapError(on: .utility) { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  texts.flatMapError(on: .utility) { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = numbers.flatMapResult(on: .utility) { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  numbers.flatMapResult(on: .utility) { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then(on: .utility) { number in _ = Promise { () async throws(LoadError) in try await load(number) } }
    .catch(on: .utility) { _ in _ = keep(Promise { () async throws(LoadError) in try await load(1) }) }
    .always(on: .utility) { _ in
      let made = Promise { () async throws(LoadError) in try await load(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .onCancel(on: .utility) { _ = Promise { () async throws(LoadError) in try await load(1) } }
    .map(on: .utility) { number in Promise { () async throws(LoadError) in try await load(number) } }
    .then(on: .utility) { page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { error in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { result in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _ in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return "none"
  }
  numbers.flatMap { number in Promise { () async throws(LoadError) in try await load(number) } }.then { show($0) }
  numbers.flatMap { number in keep(Promise { () async throws(LoadError) in try await load(number) }) }.then { show($0) }
  numbers.flatMap { number in
    let next = number + 1
    return Promise { () async throws(LoadError) in try await load(next) }
  }.then { show($0) }
  numbers.flatMap { number in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = texts.flatMapError { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = texts.flatMapError { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  texts.flatMapError { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult { _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = numbers.flatMapResult { _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = numbers.flatMapResult { _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  numbers.flatMapResult { _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then { number in _ = Promise { () async throws(LoadError) in try await load(number) } }
    .catch { _ in _ = keep(Promise { () async throws(LoadError) in try await load(1) }) }
    .always { _ in
      let made = Promise { () async throws(LoadError) in try await load(1) }
      made.always { _ in show("made") }
    }
    .tap { _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .onCancel { _ = Promise { () async throws(LoadError) in try await load(1) } }
    .map { number in Promise { () async throws(LoadError) in try await load(number) } }
    .then { page in page.always { _ in show("page") } }
  _ = texts.mapError { error in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return error
  }
  _ = texts.mapResult { result in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return result
  }
  _ = texts.recover { _ in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return "none"
  }
}

/// In the closures of `BoundPromise`.
func throwing(_ promise: Promise<Int, LoadError>, _ text: Promise<String, LoadError>, owner: Owner) {
  let (numbers, texts) = (promise.bound(to: owner), text.bound(to: owner))
  numbers.flatMap(on: .utility) { _, number in Promise { () async throws(LoadError) in try await load(number) } }.then {
    _, text in show(text)
  }
  numbers.flatMap(on: .utility) { _, number in keep(Promise { () async throws(LoadError) in try await load(number) }) }
    .then { _, text in show(text) }
  numbers.flatMap(on: .utility) { _, number in
    let next = number + 1
    return Promise { () async throws(LoadError) in try await load(next) }
  }.then { _, text in show(text) }
  numbers.flatMap(on: .utility) { _, number in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.then { _, text in show(text) }
  _ = texts.flatMapError(on: .utility) { _, _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = texts.flatMapError(on: .utility) { _, _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = texts.flatMapError(on: .utility) { _, _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  texts.flatMapError(on: .utility) { _, _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { _, error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _, _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = numbers.flatMapResult(on: .utility) { _, _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _, _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  numbers.flatMapResult(on: .utility) { _, _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { _, error in show("\(error)") }
  numbers.then(on: .utility) { _, number in _ = Promise { () async throws(LoadError) in try await load(number) } }
    .catch(on: .utility) { _, _ in _ = keep(Promise { () async throws(LoadError) in try await load(1) }) }
    .always(on: .utility) { _, _ in
      let made = Promise { () async throws(LoadError) in try await load(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _, _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .onCancel(on: .utility) { _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .map(on: .utility) { _, number in Promise { () async throws(LoadError) in try await load(number) } }
    .then(on: .utility) { _, page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { _, error in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { _, result in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _, _ in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return "none"
  }
  numbers.flatMap { _, number in Promise { () async throws(LoadError) in try await load(number) } }.then { _, text in
    show(text)
  }
  numbers.flatMap { _, number in keep(Promise { () async throws(LoadError) in try await load(number) }) }.then {
    _, text in show(text)
  }
  numbers.flatMap { _, number in
    let next = number + 1
    return Promise { () async throws(LoadError) in try await load(next) }
  }.then { _, text in show(text) }
  numbers.flatMap { _, number in
    let made = Promise { () async throws(LoadError) in try await load(number) }
    return made
  }.then { _, text in show(text) }
  _ = texts.flatMapError { _, _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = texts.flatMapError { _, _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = texts.flatMapError { _, _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  texts.flatMapError { _, _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { _, error in show("\(error)") }
  _ = numbers.flatMapResult { _, _ in Promise { () async throws(LoadError) in try await load(1) } }
  _ = numbers.flatMapResult { _, _ in keep(Promise { () async throws(LoadError) in try await load(1) }) }
  _ = numbers.flatMapResult { _, _ in
    show("again")
    return Promise { () async throws(LoadError) in try await load(1) }
  }
  numbers.flatMapResult { _, _ -> Promise<String, LoadError> in
    let made = Promise { () async throws(LoadError) in try await load(1) }
    return made
  }.catch { _, error in show("\(error)") }
  numbers.then { _, number in _ = Promise { () async throws(LoadError) in try await load(number) } }
    .catch { _, _ in _ = keep(Promise { () async throws(LoadError) in try await load(1) }) }
    .always { _, _ in
      let made = Promise { () async throws(LoadError) in try await load(1) }
      made.always { _ in show("made") }
    }
    .tap { _, _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .onCancel { _ in _ = Promise { () async throws(LoadError) in try await load(1) } }
    .map { _, number in Promise { () async throws(LoadError) in try await load(number) } }
    .then { _, page in page.always { _ in show("page") } }
  _ = texts.mapError { _, error in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return error
  }
  _ = texts.mapResult { _, result in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return result
  }
  _ = texts.recover { _, _ in
    _ = Promise { () async throws(LoadError) in try await load(1) }
    return "none"
  }
}
