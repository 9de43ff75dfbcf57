import Overmorrow

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
    when(fulfilled: [1, 2], maxConcurrent: 2) { self.name($0) }.catch { print($0, self.names) }
    when(fulfilled: [1, 2], maxConcurrent: 2) { try await self.fetch($0) }.then { self.names[1] = $0[0] }
    print(cache.counters.hits)
  }

  private func name(_ number: Int) -> Promise<String, LoadError> {
    names[number].map { Promise(fulfilled: $0) } ?? Promise(rejected: .offline)
  }

  private func fetch(_ number: Int) async throws -> String { try await fetchTyped(number) }

  private func fetchTyped(_ number: Int) async throws(LoadError) -> String {
    guard let name = names[number] else { throw .stale(number) }
    return name
  }
}
