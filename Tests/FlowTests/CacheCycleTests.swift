import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Async loads of a cache that wait for one another.
@Suite(.inTurn) struct CacheCycleTests {
  private typealias Cache = PromiseCache<String, Int, any Error>

  private let cache = Cache()
  private let other = Cache()

  /// A way in which the load of "a" can come to wait for its own key.
  enum Circle: CaseIterable {
    case itself, anotherKey, anotherCache, childTask, limiter, derivedPromise, promiseLoad
  }

  @Test("1.7 14.10 14.17 an async load that waits for its own key is cancelled", arguments: Circle.allCases)
  func circle(circle: Circle) async {
    #expect(await load("a", closing: circle).outcome()?.isCancelled == true)
    #expect((cache.count, other.count) == (0, 0))
  }

  @Test("14.17 a load that waits for its own key is reported once")
  func report() async {
    // In its own process, because the handler is global.
    await #expect(processExitsWith: .success) {
      let (cache, found) = (Cache(), Recorder<PromiseDiagnostic>())
      PromiseDiagnostics.handler = { found.record($0) }
      let promise = cache.promise(for: "a") { _ in try await cache.promise(for: "a") { _ in 0 }.value }
      #expect(await promise.outcome()?.isCancelled == true)
      #expect(found.entries.map(\.withoutPlace) == [.resolvedWithItself()])
    }
  }

  private func load(_ key: String, closing circle: Circle) -> Promise<Int, any Error> {
    cache.promise(for: key) { [self] _ in
      let again = { @Sendable in load("a", closing: circle) }
      if key == "b" { return try await again().value }
      switch circle {
      case .itself: return try await again().value
      case .anotherKey: return try await load("b", closing: circle).value
      case .anotherCache: return try await other.promise(for: "c") { _ in try await again().value }.value
      case .childTask:
        async let value = again().value
        return try await value
      case .limiter: return try await PromiseLimiter(width: 1).run { try await again().value }.value
      case .derivedPromise: return try await other.promise(for: "c") { _ in try await again().value }.map { $0 }.value
      case .promiseLoad: return try await other.promise(for: "c", on: .immediate) { _ in again() }.value
      }
    }
  }

  @Test("14.17 loads that different callers have begun, and that then wait for each other, end")
  func startedSeparately() async {
    let (gate, resolver) = Promise<Void, any Error>.makeWithResolver()
    let (begun, pairs) = (Latch(2), ["a": "b", "b": "a"])
    @Sendable func load(_ key: String) -> Promise<Int, any Error> {
      cache.promise(for: key) { key in
        begun.signal()
        try await gate.value
        return try await load(pairs[key] ?? "").value
      }
    }
    let (first, second) = (load("a"), load("b"))
    await begun.wait(for: "both loads to begin")
    resolver.fulfill(with: ())
    #expect(await first.outcome()?.isCancelled == true)
    #expect(await second.outcome()?.isCancelled == true)
  }

  @Test("14.17 a requested key that nothing awaits closes no circle")
  func prefetching() async {
    let (gate, resolver) = Promise<Void, any Error>.makeWithResolver()
    let first = cache.promise(for: "a") { [cache] _ in
      _ = cache.promise(for: "b") { _ in
        defer { resolver.fulfill(with: ()) }
        return try await cache.promise(for: "a") { _ in 0 }.value + 1
      }
      return 1
    }
    #expect(await first.outcome()?.value == 1)
    #expect(await gate.outcome()?.value != nil)
    #expect(await cache.promise(for: "b") { _ in 0 }.outcome()?.value == 2)
  }

  @Test("14.17 loads that wait for a common key are fulfilled")
  func diamond() async {
    let keys = ["a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []]
    @Sendable func load(_ key: String) -> Promise<Int, any Error> {
      cache.promise(for: key) { key in
        try await when(fulfilled: (keys[key] ?? []).map(load)).value.reduce(1, +)
      }
    }
    #expect(await load("a").outcome()?.value == 5)
  }
}
