import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Async callers of a cache, which wait in their own task.
@Suite(.inTurn) struct CacheValueTests {
  private typealias Cache = PromiseCache<String, Int, any Error>

  private let cache = Cache()

  @Test("14.18 async callers of one key share a load and its value")
  func shared() async throws {
    let (begun, asked, gate) = (Latch(), Latch(), Promise<Int, any Error>.makeWithResolver())
    let first = Task { [cache] in
      try await cache.value(for: "a") { _ in
        begun.signal()
        return try await gate.0.value
      }
    }
    await begun.wait(for: "the load to begin")
    cache.observeCounters { _ in asked.signal() }
    let second = Task { [cache] in try await cache.value(for: "a") { _ in 8 } }
    await asked.wait(for: "the second caller to join the load or to start another load")
    gate.1.fulfill(with: 7)
    #expect(try await first.value == 7)
    #expect(try await second.value == 7)
    #expect(try await cache.value(for: "a") { _ in 9 } == 7)
    #expect(cache.counters.loads == 1)
  }

  @Test("14.18 an async caller receives the error of its load")
  func failing() async {
    await #expect(throws: Refusal.second) { try await cache.value(for: "a") { _ in throw Refusal.second } }
    #expect((cache.count, cache.counters.failures) == (0, 1))
  }

  @Test("14.18 a cancelled async caller leaves, and the load continues for the others")
  func cancelled() async throws {
    let (begun, probe) = (Latch(), Promise<Int, any Error>.makeWithResolver())
    let leaving = Task { [cache] in
      try await cache.value(for: "a") { _ in
        begun.signal()
        return try await probe.0.value
      }
    }
    await begun.wait(for: "the load to begin")
    let staying = cache.promise(for: "a") { _ in 0 }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect((staying.result?.value, cache.count) == (nil, 1))
    probe.1.fulfill(with: 1)
    #expect(try await staying.value == 1)
  }

  @Test("14.4 14.18 when the last async caller is cancelled, the task of the load is cancelled")
  func lastVote() async {
    let (begun, ended, never) = (Latch(), Latch(), Promise<Int, any Error>.makeWithResolver())
    let caller = Task { [cache] in
      try await cache.value(for: "a") { _ in
        begun.signal()
        defer { ended.signal() }
        return try await never.0.value
      }
    }
    await begun.wait(for: "the load to begin")
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    await ended.wait(for: "the task of the load to be cancelled")
    // The resolver is retained until here, so that the load has ended only because it was cancelled.
    never.1.cancel()
    #expect(cache.count == 0)
  }

  @Test("14.18 a caller whose task is cancelled starts no load, and receives a cached value")
  func cancelledBefore() async {
    let value = await Task { [cache] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await #expect(throws: CancellationError.self) { try await cache.value(for: "a") { _ in 1 } }
      _ = cache.promise(for: "b", on: .immediate) { _ in Promise(fulfilled: 2) }
      return try? await cache.value(for: "b") { _ in 3 }
    }.value
    #expect((value, cache.count, cache.counters.loads) == (2, 1, 1))
  }

  @Test("14.19 a load that waits for its own key throws", arguments: [false, true])
  func circle(isDirect: Bool) async {
    @Sendable func load(_ key: String) async throws -> Int {
      try await cache.value(for: isDirect || key == "b" ? "a" : "b") { try await load($0) }
    }
    await #expect(throws: PromiseRefusalError.waitsForItself) {
      try await cache.value(for: "a") { try await load($0) }
    }
    #expect(cache.count == 0)
  }

  @Test("14.19 loads that wait for a common key are fulfilled")
  func diamond() async throws {
    @Sendable func load(_ key: String) async throws -> Int {
      switch key {
      case "a":
        async let left = cache.value(for: "b") { try await load($0) }
        async let right = cache.value(for: "c") { try await load($0) }
        return try await left + right
      case "d": return 1
      default: return try await cache.value(for: "d") { try await load($0) } + 1
      }
    }
    #expect(try await cache.value(for: "a") { try await load($0) } == 4)
    #expect(cache.counters.loads == 4)
  }
}
