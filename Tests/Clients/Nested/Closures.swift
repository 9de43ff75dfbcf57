import Overmorrow

// The closures of each operator, with `Promise { … }` alone, as an argument, after a statement, and in a `let`.
//
// Tests compile this file as it is, and with other errors, receivers and contexts substituted.

func closures(_ promise: Promise<Int, any Error>, _ text: Promise<String, any Error>) {
  let (numbers, texts) = (promise, text)
  numbers.flatMap(on: .utility) { number in Promise { try await fetch(number) } }.then { show($0) }
  numbers.flatMap(on: .utility) { number in keep(Promise { try await fetch(number) }) }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let next = number + 1
    return Promise { try await fetch(next) }
  }.then { show($0) }
  numbers.flatMap(on: .utility) { number in
    let made = Promise { try await fetch(number) }
    return made
  }.then { show($0) }
  _ = texts.flatMapError(on: .utility) { _ in Promise { try await fetch(1) } }
  _ = texts.flatMapError(on: .utility) { _ in keep(Promise { try await fetch(1) }) }
  _ = texts.flatMapError(on: .utility) { _ in
    show("again")
    return Promise { try await fetch(1) }
  }
  texts.flatMapError(on: .utility) { _ -> Promise<String, any Error> in
    let made = Promise { try await fetch(1) }
    return made
  }.catch { error in show("\(error)") }
  _ = numbers.flatMapResult(on: .utility) { _ in Promise { try await fetch(1) } }
  _ = numbers.flatMapResult(on: .utility) { _ in keep(Promise { try await fetch(1) }) }
  _ = numbers.flatMapResult(on: .utility) { _ in
    show("again")
    return Promise { try await fetch(1) }
  }
  numbers.flatMapResult(on: .utility) { _ -> Promise<String, any Error> in
    let made = Promise { try await fetch(1) }
    return made
  }.catch { error in show("\(error)") }
  numbers.then(on: .utility) { number in _ = Promise { try await fetch(number) } }
    .catch(on: .utility) { _ in _ = keep(Promise { try await fetch(1) }) }
    .always(on: .utility) { _ in
      let made = Promise { try await fetch(1) }
      made.always { _ in show("made") }
    }
    .tap(on: .utility) { _ in _ = Promise { try await fetch(1) } }
    .onCancel(on: .utility) { _ = Promise { try await fetch(1) } }
    .map(on: .utility) { number in Promise { try await fetch(number) } }
    .then(on: .utility) { page in page.always { _ in show("page") } }
  _ = texts.mapError(on: .utility) { error in
    _ = Promise { try await fetch(1) }
    return error
  }
  _ = texts.mapResult(on: .utility) { result in
    _ = Promise { try await fetch(1) }
    return result
  }
  _ = texts.recover(on: .utility) { _ in
    _ = Promise { try await fetch(1) }
    return "none"
  }
}
