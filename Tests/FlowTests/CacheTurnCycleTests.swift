import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Loads of a cache that wait for a turn of a limiter, while a closure with a turn waits for the load.
@Suite(.inTurn) struct CacheTurnCycleTests {
  private typealias Cache = PromiseCache<String, Int, any Error>

  private let cache = Cache()
  private let limiter = PromiseLimiter(width: 1)

  @Test("14.32 a closure with a turn cannot wait for a load that waits for it")
  func loadFirst() async throws {
    let load = { @Sendable [limiter] (_: String) async throws -> Int in try await limiter.perform { 7 } }
    let other = try await limiter.perform {
      let other = Task.detached { [cache] in try await cache.value(for: "a", load: load) }
      await until("the load to wait for its turn") { limiter.pendingCount == 1 }
      await #expect(throws: PromiseRefusalError.waitsForItself) { try await cache.value(for: "a", load: load) }
      return other
    }
    #expect(try await other.value == 7)
  }

  @Test("14.32 a load cannot wait for a closure that waits for the load")
  func closureFirst() async {
    let (gate, resolver) = Promise<Void, any Error>.makeWithResolver()
    let load = { @Sendable [limiter] (_: String) async throws -> Int in
      try await gate.value
      return try await limiter.perform { 7 }
    }
    let other = Task.detached { [cache] in try await cache.value(for: "a", load: load) }
    await until("the load to begin") { cache.counters.loads == 1 }
    let holder = Task.detached { [cache, limiter] in
      try await limiter.perform { try await cache.value(for: "a", load: load) }
    }
    await until("the closure to join the load") { cache.counters.hits == 1 }
    resolver.fulfill(with: ())
    await #expect(throws: PromiseRefusalError.waitsForItself) { try await holder.value }
    // If the load has waited first, only the closure is refused.
    switch await other.result {
    case .success(let value): #expect(value == 7)
    case .failure(let error): #expect(error as? PromiseRefusalError == .waitsForItself)
    }
  }

  @Test("14.32 a circle through another load and another limiter is found")
  func longCircle() async throws {
    let second = PromiseLimiter(width: 1)
    let outer = { @Sendable [cache, second] (_: String) async throws -> Int in
      try await second.perform { try await cache.value(for: "b") { _ in try await limiter.perform { 7 } } }
    }
    let other = try await limiter.perform {
      let other = Task.detached { [cache] in try await cache.value(for: "a", load: outer) }
      await until("the inner load to wait for its turn") { limiter.pendingCount == 1 }
      await #expect(throws: PromiseRefusalError.waitsForItself) { try await cache.value(for: "a", load: outer) }
      return other
    }
    #expect(try await other.value == 7)
  }

  @Test("14.32 a closure with a turn waits for a load whose other tasks wait")
  func otherTasks() async throws {
    let tasks = Recorder<Task<Int, any Error>>()
    try await limiter.perform {
      let load = Task.detached { [cache, limiter] in
        try await cache.value(for: "a") { [cache, limiter] _ in
          tasks.record(Task { try await limiter.perform { 1 } })
          let prefetched = cache.promise(for: "b") { _ in try await limiter.perform { 2 } }
          tasks.record(Task { try await prefetched.value })
          await until("both to wait") { limiter.pendingCount == 2 }
          return 3
        }
      }
      await until("both to wait") { limiter.pendingCount == 2 }
      let values = try await [cache.value(for: "a") { _ in 0 }, load.value]
      #expect(values == [3, 3])
    }
    for (index, task) in tasks.entries.enumerated() { #expect(try await task.value == index + 1) }
  }

  @Test("14.32 a caller with a turn of another limiter waits for such a load")
  func noCircle() async throws {
    let (second, wide) = (PromiseLimiter(width: 1), PromiseLimiter(width: 2))
    let load = { @Sendable [limiter] (_: String) async throws -> Int in
      try await limiter.perform { try await wide.perform { 7 } }
    }
    let value = Task { [cache] in
      try await second.perform { try await wide.perform { try await cache.value(for: "a", load: load) } }
    }
    #expect(try await value.value == 7)
  }

  @Test("14.32 a cached key retains nothing of the closure that has started its load")
  func released() async throws {
    weak var limiter: PromiseLimiter?
    do {
      let used = PromiseLimiter(width: 1)
      limiter = used
      let value = try await used.perform { try await cache.value(for: "a") { _ in 7 } }
      #expect(value == 7)
    }
    await until("the limiter to be released") { limiter == nil }
    #expect(cache.count == 1)
  }
}
