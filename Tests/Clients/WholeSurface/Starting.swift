import Overmorrow
import OvermorrowFlow

/// Work that starts on the actor that its closure is isolated to, and async work.
@MainActor
final class Catalogue {
  private let limiter = PromiseLimiter(width: 2)
  private let cache = PromiseCache<Int, String, LoadError>(capacity: 10, staleTimeToLive: .seconds(60))
  private var names: [Int: String] = [:]

  func start() {
    Promise<Int, LoadError> { resolver in resolver.fulfill(with: self.names.count) }.then { self.names[$0] = "" }
    LazyPromise<Int, LoadError> { resolver in resolver.fulfill(with: self.names.count) }.promise
      .then { self.names[$0] = "" }
    LazyPromise { try await self.fetch(1) }.promise.then { self.names[1] = $0 }
    limiter.run { self.name(1) }.catch { print($0, self.names) }
    limiter.run(priority: 1) { try await self.fetch(1) }.then { self.names[1] = $0 }
    cache.promise(for: 1) { self.name($0) }.then { self.names[1] = $0 }
    cache.promise(for: 1) { number throws(LoadError) in try await self.fetchTyped(number) }.then { self.names[1] = $0 }
    Promise.retry(PromiseRetryPolicy<LoadError>(attempts: 2)) { self.name($0) }.catch { print($0, self.names) }
    Promise.retry { try await self.fetch($0) }.then { self.names[1] = $0 }
    Promise.retry {
      try await self.fetch($0)
    } until: {
      !$0.isEmpty
    }.then { self.names[1] = $0 }
    Promise.retry {
      self.name($0)
    } until: {
      !$0.isEmpty
    }.catch { print($0, self.names) }
    when(fulfilled: [1, 2], maxConcurrent: 2) { self.name($0) }.catch { print($0, self.names) }
    when(fulfilled: [1, 2], maxConcurrent: 2) { try await self.fetch($0) }.then { self.names[1] = $0[0] }
    when(settled: [1, 2], maxConcurrent: 2) { self.name($0) }.then { print($0, self.names) }
    when(settled: [1, 2], maxConcurrent: 2) { try await self.fetch($0) }.then { self.names[1] = $0[0].value }
    print(cache.counters.hits)
  }

  /// Async closures that throw nothing, for failures that they could throw.
  func startWithoutErrors() {
    Promise<Int, any Error> { await self.count() }.then { self.names[$0] = "" }
    Promise<Int, LoadError> { await self.count() }.then { self.names[$0] = "" }
    Promise<Int, Never> { await self.count() }.then { self.names[$0] = "" }
    Promise<Void, any Error> { self.names[1] = "\(await self.count())" }.catch { print($0) }
    Promise<Int, any Error>(priority: .low) { 1 + (await self.count()) }.then { self.names[$0] = "" }
    LazyPromise<Int, any Error> { await self.count() }.promise.then { self.names[$0] = "" }
    limiter.run { await self.count() }.then { self.names[$0] = "" }
    cache.promise(for: 1) { "\($0), \(await self.count())" }.then { self.names[1] = $0 }
    Promise<Int, any Error>.retry { await self.count() + $0 }.then { self.names[$0] = "" }
    when(fulfilled: [1, 2], maxConcurrent: 2) { await self.count() + $0 }.then { self.names[1] = "\($0)" }
  }

  private func count() async -> Int { names.count }

  private func name(_ number: Int) -> Promise<String, LoadError> {
    names[number].map { Promise(fulfilled: $0) } ?? Promise(rejected: .offline)
  }

  private func fetch(_ number: Int) async throws -> String { try await fetchTyped(number) }

  private func fetchTyped(_ number: Int) async throws(LoadError) -> String {
    guard let name = names[number] else { throw .stale(number) }
    return name
  }
}

/// Async closures that throw nothing, on an actor and on none.
actor Counter {
  private var count = 0

  func start() -> Promise<Int, any Error> {
    Promise {
      self.count += 1
      return await self.current()
    }
  }

  private func current() async -> Int { count }
}

/// A value that is not `Sendable`, which moves into the task of a promise.
final class Draft {
  var lines: [String] = []
}

func startWithDraft() -> Promise<Int, any Error> {
  let draft = Draft()
  return Promise {
    draft.lines.append(await Counter().name)
    return draft.lines.count
  }
}

extension Counter {
  fileprivate var name: String { "draft" }
}
