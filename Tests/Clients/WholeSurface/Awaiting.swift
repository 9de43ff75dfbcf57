import Overmorrow

/// Tasks that wait for promises.
func wait(
  _ promise: Promise<Int, LoadError>, sure: Promise<Int, Never>, other: Promise<Int, String>
) async throws -> Int {
  if case .error(let error) = await other.outcome { print(error) }
  let first: Int = try await promise.value
  let second: Int = try await sure.value
  let third: Int = try await promise.outcome.get()
  return first + second + third
}

/// Promises of async work.
func produce(_ numbers: AsyncStream<Int>, executor: any TaskExecutor) -> [Promise<Int, any Error>] {
  let simple = Promise<Int, Never> { await next(1) }
  let detailed = Promise<Int, Never>(priority: .high, taskExecutor: executor) { await next(1) }
  let throwing = Promise<Int, any Error> { try await checked(1) }
  let typed = Promise<Int, LoadError>(priority: .low) { () async throws(LoadError) in try await checked(1) }
  let found = numbers.firstPromise { $0 > 1 }
  let foundSlowly = numbers.firstPromise(priority: .low) { try await checked($0) > 1 }
  found.then { print($0 ?? 0) }
  foundSlowly.then { print($0 ?? 0) }
  return [simple.upcast, detailed.upcast, throwing, typed.upcast]
}

/// A main-actor class: its async bodies belong to it.
@MainActor
final class Dashboard {
  var title = ""

  func load() -> Promise<String, any Error> {
    Promise {
      self.title = "…"
      return try await "\(checked(1))"
    }
  }

  func follow(_ promises: [Promise<Int, LoadError>]) async {
    for await (index, result) in CompletionOrder(of: promises) {
      title += "\(index): \(result.value ?? 0)"
    }
    var results = CompletionOrder(of: promises).makeAsyncIterator()
    while let (index, _) = await results.next() { title += "\(index)" }
    if let value = try? await promises[0].value { title += "\(value)" }
  }
}

private func next(_ number: Int) async -> Int { number + 1 }

private func checked(_ number: Int) async throws(LoadError) -> Int {
  if number == 0 { throw .offline }
  return number
}
