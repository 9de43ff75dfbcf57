import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow

#if DEBUG && os(Linux)
  /// The attempts and keys in trails and in the list of pending promises.
  @Suite(.enabled(if: isLevelUnset)) struct TrailDetailTests {
    private struct Trouble: Error {
      let number: Int
    }

    private typealias Subject = Promise<Int, any Error>

    /// A key whose description is counted.
    private struct Key: Hashable, Sendable, CustomStringConvertible {
      static let descriptions = Counter()
      let text: String

      var description: String {
        Self.descriptions.increment()
        return text
      }
    }

    /// Returns the trail that a callback for the error of `promise` gets.
    private static func trail(of promise: Subject) async -> PromiseTrail? {
      let seen = Recorder<PromiseTrail?>()
      _ = try? await promise.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }.value
      return seen.entries.first ?? nil
    }

    private static func place(_ line: Int) -> String { "DiagnosticsTests/TrailDetailTests.swift:\(line)" }

    private static let failingLine = #line + 1
    private static func failing(_ number: Int) -> Subject { Subject(rejected: Trouble(number: number)) }

    // MARK: Retries

    @Test(
      "15.42 a retry's trail names the last attempt, and contains only its way",
      arguments: [PromiseContext.immediate, .utility], [PromiseRetryBackoff.none, .constant(.milliseconds(1))])
    func retry(context: PromiseContext, backoff: PromiseRetryBackoff) async {
      let policy = PromiseRetryPolicy<any Error>(attempts: 15, backoff: backoff)
      let line = #line + 1
      let retried = Subject.retry(policy, on: context) { Self.failing($0) }
      let trail = await Self.trail(of: retried.map(on: .immediate) { $0 })
      #expect(
        trail?.description == """
            retry made at \(Self.place(line)), attempt 15
            made at \(Self.place(Self.failingLine)), rejected here
            adopted by retry at \(Self.place(line)), attempt 15
            map at TrailDetailTests.swift:\(line + 1) on immediate
          """)
      #expect(trail?.entries.map(\.detail) == ["attempt 15", nil, "attempt 15", nil])
      #expect(trail?.json.contains(#""detail":"attempt 15""#) == true)
    }

    @Test("15.42 the trail of a retry until a value is right names the attempt")
    func retryUntil() async {
      let policy = PromiseRetryPolicy<any Error>(attempts: 3)
      let retried = Subject.retry(
        policy, on: .immediate, { $0 < 3 ? Promise(fulfilled: $0) : Self.failing($0) }, until: { $0 > 3 })
      let trail = await Self.trail(of: retried)
      #expect(trail?.entries.map(\.kind) == [.promise, .promise, .adoption])
      #expect(trail?.entries.last?.detail == "attempt 3")
    }

    @Test("15.42 the trail of an async retry goes through the task of the last attempt")
    func asyncRetry() async {
      let line = #line + 1
      let retried = Subject.retry(PromiseRetryPolicy(attempts: 2)) { throw Trouble(number: $0) }
      let trail = await Self.trail(of: retried)
      #expect(
        trail?.description == """
            retry made at \(Self.place(line)), attempt 2
            task made at \(Self.place(line)), rejected here
            adopted by retry at \(Self.place(line)), attempt 2
          """)
    }

    // MARK: Keys

    @Test("15.42 the trail of a cache's load names the key", arguments: [PromiseContext.immediate, .utility])
    func load(context: PromiseContext) async {
      let cache = PromiseCache<String, Int, any Error>()
      let line = #line + 1
      let loaded = cache.promise(for: "home", on: context) { _ in Self.failing(1) }
      let trail = await Self.trail(of: loaded)
      #expect(
        trail?.description == """
            load made at \(Self.place(line)), key "home"
            made at \(Self.place(Self.failingLine)), rejected here
            adopted by load at \(Self.place(line)), key "home"
          """)
      #expect(trail?.json.contains(#""detail":"key \u0022home\u0022""#) == true)
    }

    @Test("15.42 the trail of a second caller of a load ends with the second call", arguments: [false, true])
    func secondCaller(isInsideLoad: Bool) async {
      let cache = PromiseCache<String, Int, any Error>()
      let (loading, resolver) = Subject.makeWithResolver()
      let second = Recorder<Subject>()
      let line = #line + 1
      let call: @Sendable () -> Void = { second.record(cache.promise(for: "home", on: .immediate) { _ in loading }) }
      let first = cache.promise(for: "home", on: .immediate) { _ in
        if isInsideLoad { call() }
        return loading
      }
      if !isInsideLoad { call() }
      resolver.reject(with: Trouble(number: 2))
      let trail = await Self.trail(of: second.entries[0])
      #expect(trail?.entries.map(\.kind) == [.promise, .promise, .adoption, .step])
      #expect(trail?.entries.map(\.detail) == [#"key "home""#, nil, #"key "home""#, nil])
      #expect(trail?.entries.last?.place == "TrailDetailTests.swift:\(line)")
      #expect(await Self.trail(of: first)?.entries.count == 3)
    }

    @Test("15.42 the trail of a batch's call names the key of the call")
    func batch() async {
      let batcher = PromiseBatcher<String, Int>(on: .utility) { _ in Promise(rejected: Trouble(number: 3)) }
      let first = batcher.promise(for: "home")
      let line = #line + 1
      let second = batcher.promise(for: "away")
      for (promise, key) in [(first, "home"), (second, "away")] {
        let entries = await Self.trail(of: promise)?.entries ?? []
        #expect(entries.map(\.kind) == [.promise, .promise, .promise, .adoption, .adoption])
        #expect(entries.map(\.operation) == ["load", "load", nil, "load", "load"])
        #expect(entries.map(\.detail) == ["key \"\(key)\"", nil, nil, nil, "key \"\(key)\""])
        #expect(entries.last?.place == Self.place(key == "home" ? line - 2 : line))
      }
    }

    @Test("15.42 a key has at most 100 characters, and symbols for control characters")
    func longKey() async {
      let cache = PromiseCache<String, Int, any Error>()
      let key = "a\nb" + String(repeating: "x", count: 1_000)
      let trail = await Self.trail(of: cache.promise(for: key, on: .immediate) { _ in Self.failing(4) })
      #expect(trail?.entries.first?.detail == "key \"\(key.prefix(100))\"")
      #expect(trail?.description.contains("key \"a␊bxxx") == true)
    }

    // MARK: The list of pending promises

    @Test("15.18 the list names attempts of retries, and keys of loads and calls")
    func pending() async {
      let (work, resolver) = Subject.makeWithResolver()
      let policy = PromiseRetryPolicy<any Error>(attempts: 2)
      let retry = Subject.retry(policy, on: .immediate) { $0 == 2 ? work : Self.failing($0) }
      let load = PromiseCache<String, Int, any Error>().promise(for: "home", on: .utility) { _ in work }
      let batcher = PromiseBatcher<String, Int>(on: .immediate) { _ in work.map(on: .immediate) { _ in [:] } }
      let call = batcher.promise(for: "away")
      let details = [retry, load, call].map { promise in
        PromiseDiagnostics.pending(upstreamOf: promise).entries.compactMap(\.detail)
      }
      #expect(details == [["attempt 2"], [#"key "home""#], [#"key "away""#]])
      #expect("\(PromiseDiagnostics.pending(upstreamOf: retry))".contains(", attempt 2, pending for "))
      resolver.fulfill(with: 1)
      withExtendedLifetime(batcher) {}
    }

    // MARK: Descriptions of keys

    @Test("15.42 the description of a key may use the cache and the batcher")
    func usedInside() async {
      struct Nested: Hashable, Sendable, CustomStringConvertible {
        static let cache = PromiseCache<Nested, Int, any Error>()
        static let batcher = PromiseBatcher<Nested, Int>(on: .immediate) { _ in Promise(fulfilled: [:]) }
        let depth: Int

        var description: String {
          if depth > 0 {
            _ = Self.cache.promise(for: Nested(depth: depth - 1), on: .immediate) { _ in Promise(fulfilled: 1) }
            _ = Self.cache.count
            Self.batcher.promise(for: Nested(depth: depth - 1)).always(on: .immediate) { _ in }
          }
          return "\(depth)"
        }
      }
      let (work, resolver) = Subject.makeWithResolver()
      let load = Nested.cache.promise(for: Nested(depth: 3), on: .utility) { _ in work }
      let call = Nested.batcher.promise(for: Nested(depth: 3))
      #expect(await Self.trail(of: call)?.entries.first?.detail == #"key "3""#)
      #expect(PromiseDiagnostics.pending(upstreamOf: load).entries.compactMap(\.detail) == [#"key "3""#])
      resolver.fulfill(with: 1)
    }

    @Test("15.42 a key is not described while nothing is watched")
    func unwatched() async {
      await #expect(processExitsWith: .success) {
        let cache = PromiseCache<Key, Int, any Error>()
        let batcher = PromiseBatcher<Key, Int>(on: .immediate) { _ in Self.failing(5).map(on: .immediate) { _ in [:] } }
        for level in [PromiseDiagnostics.Level.off, .report] {
          PromiseDiagnostics.level = level
          for context in [PromiseContext.immediate, .utility] {
            let key = Key(text: "\(level) \(context)")
            _ = try? await cache.promise(for: key, on: context) { _ in Self.failing(6) }.value
          }
          _ = try? await batcher.promise(for: Key(text: "batch")).value
          #expect(Key.descriptions.count == (level == .off ? 0 : 3))
        }
      }
    }
  }
#endif
