import Overmorrow

/// Several promises of one type.
func combining(_ promises: [Promise<Int, any Error>], _ typed: [Promise<Int, LoadError>]) {
  when(fulfilled: promises, cancelOnFailure: true, joining: true).then { print($0.count) }
  when(first: promises, cancelRemaining: true, joining: true).then { print($0) }
  when(settled: promises).then { results in print(results.map(\.isCancelled)) }
  when(settled: typed).then { results in print(results == [.cancelled]) }
  // If `when` inferred the failure type here, the compiler would prefer an overload with a closure that throws nothing.
  // So the promise gets a name.
  let all = when(fulfilled: typed)
  all.then { print($0.count) }
  let any = when(firstFulfilled: typed, cancelRemaining: true, joining: true)
  any.then { print($0) }
  any.catch { error in
    print(error.reasons, error.errors, error.finishingOrder, error.isEmpty, error.description)
    print(error == PromiseAggregateError(reasons: [.offline, nil]), Set([error]).count)
  }
}

/// Promises of different types.
func combining(
  _ number: Promise<Int, any Error>, _ text: Promise<String, any Error>, _ risky: Promise<Bool, LoadError>
) {
  when(fulfilled: number, text, cancelOnFailure: true, joining: true).then { number, text in print(number, text) }
  when(fulfilled: number, text).then { number, text in print(number, text) }
  let settled = when(settled: number, text, risky)
  settled.then { number, text, risky in
    print(number.value as Any, text.error as Any, risky.isCancelled)
  }
}

/// Promises by key.
func combining(_ promises: [String: Promise<Int, LoadError>]) {
  let all = when(fulfilled: promises, cancelOnFailure: true, joining: true)
  all.then { print($0["a"] as Any) }
  when(settled: promises).then { results in print(results["a"]?.value as Any, results == ["b": .cancelled]) }
}

func length(of name: String) async throws -> Int { name.count }

/// A limited number at a time. On no actor, because a lazy sequence whose closure is isolated to one cannot be sent.
nonisolated func bounded(_ names: [String], token: PromiseInvalidationToken) {
  when(fulfilled: names, maxConcurrent: 4, on: .utility) { name in Promise { try await length(of: name) } }
    .then { print($0) }
  let lengths = when(
    fulfilled: names.lazy.map(\.count), maxConcurrent: 4, cancelOnFailure: true, joining: true, on: .main, token: token
  ) { count in count > 3 ? Promise<Int, LoadError>(rejected: .stale(count)) : Promise(fulfilled: count) }
  lengths.then { print($0) }
  when(settled: names.lazy.map(\.count), maxConcurrent: 4, on: .main, token: token) { count in
    count > 3 ? Promise<Int, LoadError>(rejected: .stale(count)) : Promise(fulfilled: count)
  }
  .then { results in print(results == [.cancelled]) }
}
