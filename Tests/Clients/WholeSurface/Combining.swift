import Overmorrow

/// Several promises of one type.
func combining(_ promises: [Promise<Int, String>]) {
  when(fulfilled: promises, joining: true).then { print($0.count) }
  when(fulfilled: promises, cancelOnFailure: true, joining: true).then { print($0.count) }
  when(first: promises, joining: true).then { print($0) }
  when(first: promises, cancelRemaining: true, joining: true).then { print($0) }
  when(settled: promises).then { results in print(results == [.cancelled]) }
  when(firstFulfilled: promises, cancelRemaining: true, joining: true).then { print($0) }
  when(firstFulfilled: promises).catch { error in
    print(error.reasons, error.errors, error.finishingOrder, error.isEmpty, error.description)
    print(error == PromiseAggregateError(reasons: ["no", nil]), Set([error]).count)
  }
}

/// Promises of different types.
func combining(_ number: Promise<Int, String>, _ text: Promise<String, String>, _ risky: Promise<Bool, LoadError>) {
  when(fulfilled: number, text, joining: true).then { number, text in print(number, text) }
  when(fulfilled: number, text, cancelOnFailure: true, joining: true).then { number, text in print(number, text) }
  let settled = when(settled: number, text, risky)
  settled.then { results in
    print(results.0.value as Any, results.1.error as Any, results.2.isCancelled)
  }
}

/// Promises by key.
func combining(_ promises: [String: Promise<Int, String>]) {
  when(fulfilled: promises, cancelOnFailure: true, joining: true).then { print($0["a"] as Any) }
  when(settled: promises).then { print($0["a"] as Any) }
  when(anyFulfilled: promises)
    .then { results in
      print(results.values, results.reasons, results.cancelled, Set([results]).count)
      print(results == PromiseKeyedResults(values: ["a": 1], reasons: [:], cancelled: []))
    }
    .catch { error in
      print(error.reasons, error.cancelled, error.isEmpty, error.description, Set([error]).count)
      print(error == PromiseKeyedErrors(reasons: ["a": "no"], cancelled: ["b"]))
    }
}

/// What one cannot do without.
func require(_ results: [String: PromiseResult<Int, LoadError>]) -> Int {
  do {
    return try PromiseKeyedResults(results).requiredValue(for: "a")
  } catch let error as PromiseMissingKeyError<String> {
    print(error.key, error.description, error == PromiseMissingKeyError(key: "a"), Set([error]).count)
  } catch {
    print(error)
  }
  return 0
}

/// So many at a time.
func bounded(_ names: [String], token: PromiseInvalidationToken) {
  when(fulfilled: names, maxConcurrent: 4, on: .utility) { name in Promise<Int, String>(fulfilled: name.count) }
    .then { print($0) }
  when(
    fulfilled: names.lazy.map(\.count), maxConcurrent: 4, cancelOnFailure: true, joining: true, on: .main, token: token
  ) {
    count throws(LoadError) -> Promise<Int, LoadError> in
    if count > 3 { throw .stale(count) }
    return Promise(fulfilled: count)
  }
  .then { print($0) }
}
