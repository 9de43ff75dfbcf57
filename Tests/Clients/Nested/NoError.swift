import Overmorrow

// No error at all.

/// In the closures of `Promise`.
func computing(_ promise: Promise<Int, Never>, _ text: Promise<String, Never>) {
  let (numbers, texts) = (promise, text)
  numbers.flatMap(on: .utility) { number in Promise { await compute(number) } }.then { show($0) }
  numbers.flatMap(on: .utility) { number in keep(Promise { await compute(number) }) }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let next = number + 1
    return Promise { await compute(next) }
  }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let made = Promise { await compute(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError(on: .utility) { _ in Promise { await compute(1) } }
  _ = texts.flatMapError(on: .utility) { _ in keep(Promise { await compute(1) }) }
  _ = texts.flatMapError(on: .utility) { _ in
    show("again")
    return Promise { await compute(1) }
  }
  texts.flatMapError(on: .utility) { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _ in Promise { await compute(1) } }
  _ = numbers.flatMapResult(on: .utility) { _ in keep(Promise { await compute(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _ in
    show("again")
    return Promise { await compute(1) }
  }
  numbers.flatMapResult(on: .utility) { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then(on: .utility) { number in _ = Promise { await compute(number) } }
    .catch(on: .utility) { _ in _ = keep(Promise { await compute(1) }) }
    .always(on: .utility) { _ in
      let made = Promise { await compute(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _ in _ = Promise { await compute(1) } }
    .onCancel(on: .utility) { _ = Promise { await compute(1) } }
    .map(on: .utility) { number in Promise { await compute(number) } }
    .then(on: .utility) { page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { error in
    _ = Promise { await compute(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { result in
    _ = Promise { await compute(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _ in
    _ = Promise { await compute(1) }
    return "none"
  }
  numbers.flatMap { number in Promise { await compute(number) } }.then { show($0) }
  numbers.flatMap { number in keep(Promise { await compute(number) }) }.then { show($0) }
  numbers.flatMap { number in
    let next = number + 1
    return Promise { await compute(next) }
  }.then { show($0) }
  numbers.flatMap { number in
    let made = Promise { await compute(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError { _ in Promise { await compute(1) } }
  _ = texts.flatMapError { _ in keep(Promise { await compute(1) }) }
  _ = texts.flatMapError { _ in
    show("again")
    return Promise { await compute(1) }
  }
  texts.flatMapError { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult { _ in Promise { await compute(1) } }
  _ = numbers.flatMapResult { _ in keep(Promise { await compute(1) }) }
  _ = numbers.flatMapResult { _ in
    show("again")
    return Promise { await compute(1) }
  }
  numbers.flatMapResult { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then { number in _ = Promise { await compute(number) } }
    .catch { _ in _ = keep(Promise { await compute(1) }) }
    .always { _ in
      let made = Promise { await compute(1) }
      made.always { _ in show("made") }
    }
    .tap { _ in _ = Promise { await compute(1) } }
    .onCancel { _ = Promise { await compute(1) } }
    .map { number in Promise { await compute(number) } }
    .then { page in page.always { _ in show("page") } }
  _ = texts.mapError { error in
    _ = Promise { await compute(1) }
    return error
  }
  _ = texts.mapResult { result in
    _ = Promise { await compute(1) }
    return result
  }
  _ = texts.recover { _ in
    _ = Promise { await compute(1) }
    return "none"
  }
}

/// In the closures of `TokenPromise`.
func computing(_ promise: Promise<Int, Never>, _ text: Promise<String, Never>, token: PromiseInvalidationToken) {
  let (numbers, texts) = (promise.withToken(token), text.withToken(token))
  numbers.flatMap(on: .utility) { number in Promise { await compute(number) } }.then { show($0) }
  numbers.flatMap(on: .utility) { number in keep(Promise { await compute(number) }) }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let next = number + 1
    return Promise { await compute(next) }
  }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let made = Promise { await compute(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError(on: .utility) { _ in Promise { await compute(1) } }
  _ = texts.flatMapError(on: .utility) { _ in keep(Promise { await compute(1) }) }
  _ = texts.flatMapError(on: .utility) { _ in
    show("again")
    return Promise { await compute(1) }
  }
  texts.flatMapError(on: .utility) { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _ in Promise { await compute(1) } }
  _ = numbers.flatMapResult(on: .utility) { _ in keep(Promise { await compute(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _ in
    show("again")
    return Promise { await compute(1) }
  }
  numbers.flatMapResult(on: .utility) { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then(on: .utility) { number in _ = Promise { await compute(number) } }
    .catch(on: .utility) { _ in _ = keep(Promise { await compute(1) }) }
    .always(on: .utility) { _ in
      let made = Promise { await compute(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _ in _ = Promise { await compute(1) } }
    .onCancel(on: .utility) { _ = Promise { await compute(1) } }
    .map(on: .utility) { number in Promise { await compute(number) } }
    .then(on: .utility) { page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { error in
    _ = Promise { await compute(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { result in
    _ = Promise { await compute(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _ in
    _ = Promise { await compute(1) }
    return "none"
  }
  numbers.flatMap { number in Promise { await compute(number) } }.then { show($0) }
  numbers.flatMap { number in keep(Promise { await compute(number) }) }.then { show($0) }
  numbers.flatMap { number in
    let next = number + 1
    return Promise { await compute(next) }
  }.then { show($0) }
  numbers.flatMap { number in
    let made = Promise { await compute(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError { _ in Promise { await compute(1) } }
  _ = texts.flatMapError { _ in keep(Promise { await compute(1) }) }
  _ = texts.flatMapError { _ in
    show("again")
    return Promise { await compute(1) }
  }
  texts.flatMapError { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult { _ in Promise { await compute(1) } }
  _ = numbers.flatMapResult { _ in keep(Promise { await compute(1) }) }
  _ = numbers.flatMapResult { _ in
    show("again")
    return Promise { await compute(1) }
  }
  numbers.flatMapResult { _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then { number in _ = Promise { await compute(number) } }
    .catch { _ in _ = keep(Promise { await compute(1) }) }
    .always { _ in
      let made = Promise { await compute(1) }
      made.always { _ in show("made") }
    }
    .tap { _ in _ = Promise { await compute(1) } }
    .onCancel { _ = Promise { await compute(1) } }
    .map { number in Promise { await compute(number) } }
    .then { page in page.always { _ in show("page") } }
  _ = texts.mapError { error in
    _ = Promise { await compute(1) }
    return error
  }
  _ = texts.mapResult { result in
    _ = Promise { await compute(1) }
    return result
  }
  _ = texts.recover { _ in
    _ = Promise { await compute(1) }
    return "none"
  }
}

/// In the closures of `BoundPromise`.
func computing(_ promise: Promise<Int, Never>, _ text: Promise<String, Never>, owner: Owner) {
  let (numbers, texts) = (promise.bound(to: owner), text.bound(to: owner))
  numbers.flatMap(on: .utility) { _, number in Promise { await compute(number) } }.then { _, text in show(text) }
  numbers.flatMap(on: .utility) { _, number in keep(Promise { await compute(number) }) }.then { _, text in show(text) }
  numbers.flatMap(on: .utility) { _, number in
    let next = number + 1
    return Promise { await compute(next) }
  }.then { _, text in show(text) }
  numbers.flatMap(on: .utility) { _, number in
    let made = Promise { await compute(number) }
    return made
  }.then { _, text in show(text) }
  _ = texts.flatMapError(on: .utility) { _, _ in Promise { await compute(1) } }
  _ = texts.flatMapError(on: .utility) { _, _ in keep(Promise { await compute(1) }) }
  _ = texts.flatMapError(on: .utility) { _, _ in
    show("again")
    return Promise { await compute(1) }
  }
  texts.flatMapError(on: .utility) { _, _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { _, error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _, _ in Promise { await compute(1) } }
  _ = numbers.flatMapResult(on: .utility) { _, _ in keep(Promise { await compute(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _, _ in
    show("again")
    return Promise { await compute(1) }
  }
  numbers.flatMapResult(on: .utility) { _, _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { _, error in show("\(error)") }
  numbers.then(on: .utility) { _, number in _ = Promise { await compute(number) } }
    .catch(on: .utility) { _, _ in _ = keep(Promise { await compute(1) }) }
    .always(on: .utility) { _, _ in
      let made = Promise { await compute(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _, _ in _ = Promise { await compute(1) } }
    .onCancel(on: .utility) { _ in _ = Promise { await compute(1) } }
    .map(on: .utility) { _, number in Promise { await compute(number) } }
    .then(on: .utility) { _, page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { _, error in
    _ = Promise { await compute(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { _, result in
    _ = Promise { await compute(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _, _ in
    _ = Promise { await compute(1) }
    return "none"
  }
  numbers.flatMap { _, number in Promise { await compute(number) } }.then { _, text in show(text) }
  numbers.flatMap { _, number in keep(Promise { await compute(number) }) }.then { _, text in show(text) }
  numbers.flatMap { _, number in
    let next = number + 1
    return Promise { await compute(next) }
  }.then { _, text in show(text) }
  numbers.flatMap { _, number in
    let made = Promise { await compute(number) }
    return made
  }.then { _, text in show(text) }
  _ = texts.flatMapError { _, _ in Promise { await compute(1) } }
  _ = texts.flatMapError { _, _ in keep(Promise { await compute(1) }) }
  _ = texts.flatMapError { _, _ in
    show("again")
    return Promise { await compute(1) }
  }
  texts.flatMapError { _, _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { _, error in show("\(error)") }
  _ = numbers.flatMapResult { _, _ in Promise { await compute(1) } }
  _ = numbers.flatMapResult { _, _ in keep(Promise { await compute(1) }) }
  _ = numbers.flatMapResult { _, _ in
    show("again")
    return Promise { await compute(1) }
  }
  numbers.flatMapResult { _, _ -> Promise<String, Never> in
    let made = Promise { await compute(1) }
    return made
  }.catch { _, error in show("\(error)") }
  numbers.then { _, number in _ = Promise { await compute(number) } }
    .catch { _, _ in _ = keep(Promise { await compute(1) }) }
    .always { _, _ in
      let made = Promise { await compute(1) }
      made.always { _ in show("made") }
    }
    .tap { _, _ in _ = Promise { await compute(1) } }
    .onCancel { _ in _ = Promise { await compute(1) } }
    .map { _, number in Promise { await compute(number) } }
    .then { _, page in page.always { _ in show("page") } }
  _ = texts.mapError { _, error in
    _ = Promise { await compute(1) }
    return error
  }
  _ = texts.mapResult { _, result in
    _ = Promise { await compute(1) }
    return result
  }
  _ = texts.recover { _, _ in
    _ = Promise { await compute(1) }
    return "none"
  }
}
