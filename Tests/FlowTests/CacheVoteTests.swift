import OvermorrowFlow
import TestSupport
import Testing

@testable import Overmorrow

#if os(macOS) || os(Linux)
  /// Tasks that wait for the promise of an entry with a vote: the diagnostics are off, so that no caller needs a promise
  /// of its own. Each test runs in its own process, because the level is global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct CacheVoteTests {
    private typealias Cache = PromiseCache<Int, Int, any Error>

    @Test("14.1 14.3 the cache has the result before the task that waits for it")
    func order() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        let cache = Cache()
        for round in 0..<scaled(20_000) {
          let value = try await cache.value(for: round) { _ in round }
          #expect(value == round && cache.peek(round)?.value == round)
          await #expect(throws: Refusal.first) { try await cache.value(for: -1) { _ in throw Refusal.first } }
          let next = try await cache.value(for: -1) { _ in 1 }
          #expect(next == 1)
          cache.remove(-1)
        }
      }
    }

    @Test("14.14 a load that fails after the cancellation of its only task does not count")
    func cancelled() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        let cache = Cache()
        for round in 0..<scaled(500) {
          let (begun, asked, tracker) = (Latch(), Latch(), Tracker())
          let task = Task {
            try await cache.value(for: round) { [tracked = tracker.make()] _ in
              await withTaskCancellationHandler {
                begun.signal()
                await asked.wait(for: "the request to cancel")
              } onCancel: {
                asked.signal()
              }
              withExtendedLifetime(tracked) {}
              throw Refusal.first
            }
          }
          await begun.wait(for: "the load to begin")
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
          await until("the end of the load's task") { tracker.count == 0 }
          #expect(cache.peek(round) == nil)
        }
        #expect(cache.counters.failures == 0)
      }
    }

    @Test("14.4 a load goes on while one of its waiting tasks is not cancelled")
    func oneOfTwo() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        let cache = Cache()
        for (key, isFirst) in [(1, false), (2, true)] {
          let (begun, end) = (Latch(), Latch())
          let load: @Sendable (Int) async throws -> Int = { _ in
            begun.signal()
            await end.wait(for: "the end of the load")
            try Task.checkCancellation()
            return 7
          }
          let first = Task { try await cache.value(for: key, load: load) }
          await begun.wait(for: "the load to begin")
          let second = Task { try await cache.value(for: key, load: load) }
          await until("the second task to join") { cache.counters.hits == key }
          (isFirst ? first : second).cancel()
          await #expect(throws: CancellationError.self) { try await (isFirst ? first : second).value }
          end.signal()
          let value = try await (isFirst ? second : first).value
          #expect(value == 7)
        }
      }
    }
  }
#endif

/// Code that has outlived its load, inside another load that is still in flight.
struct OutlivedLoadTests {
  private typealias Cache = PromiseCache<Int, Int, any Error>

  @Test("14.17 code that outlived its load may wait for the load around it", arguments: [false, true])
  func turn(isInTurn: Bool) async throws {
    let (inner, outer, limiter) = (Cache(), Cache(), PromiseLimiter(width: 2))
    let (ended, asked) = (Latch(), Latch())
    let started = Recorder<Task<Int, any Error>>()
    let value = try await outer.value(for: 1) { _ in
      _ = try await inner.value(for: 1) { _ in
        started.record(
          Task {
            await ended.wait(for: "the end of the inner load")
            defer { asked.signal() }
            let ask = { @Sendable () async throws -> Promise<Int, any Error> in outer.promise(for: 1) { _ in 7 } }
            let promise = try await isInTurn ? limiter.perform { try await ask() } : ask()
            asked.signal()
            return try await promise.value
          })
        return 2
      }
      ended.signal()
      await asked.wait(for: "the call of the task")
      return 5
    }
    #expect(value == 5)
    #expect(try await started.entries.first?.value == 5)
  }
}
