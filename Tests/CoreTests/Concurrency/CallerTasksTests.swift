import OvermorrowFlow
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The task-local values that async closures find, whatever starts them, and however late.
@Suite(.inTurn) struct CallerTasksTests {
  typealias Subject = Promise<Int, any Error>

  private enum Request {
    @TaskLocal static var id = 0
  }

  /// A function that starts work, which returns the task-local value that it finds.
  struct Starter: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Starts the work. It may wait for the gate.
    let start: @Sendable (_ gate: Subject, _ work: @escaping @Sendable () async throws -> Int) -> Subject
  }

  static let starters = [
    Starter(testDescription: "Promise") { _, work in Promise { try await work() } },
    Starter(testDescription: "Promise with an executor") { _, work in Promise(taskExecutor: nil) { try await work() } },
    Starter(testDescription: "LazyPromise") { _, work in LazyPromise { try await work() }.promise },
    Starter(testDescription: "firstPromise") { _, work in
      let numbers = AsyncStream<Int> { $0.yield(7) }
      return numbers.firstPromise { try await work() == $0 }.map(on: .immediate) { $0 ?? 0 }
    },
    Starter(testDescription: "retry, first attempt") { _, work in Promise.retry { _ in try await work() } },
    Starter(testDescription: "retry, later attempt") { gate, work in
      Promise.retry { number in
        if number < 3 { throw Refusal.first }
        _ = try await gate.value
        return try await work()
      }
    },
    Starter(testDescription: "PromiseLimiter, place free") { _, work in
      PromiseLimiter(width: 1).run { try await work() }
    },
    Starter(testDescription: "PromiseLimiter, place taken") { gate, work in
      let limiter = PromiseLimiter(width: 1)
      _ = limiter.run(on: .immediate) { gate }
      return limiter.run { try await work() }
    },
    Starter(testDescription: "PromiseCache") { _, work in
      PromiseCache<Int, Int, any Error>().promise(for: 1) { _ in try await work() }
    },
    Starter(testDescription: "PromiseCache, out of date") { _, work in
      let (cache, loaded) = (
        PromiseCache<Int, Int, any Error>(timeToLive: .zero, staleTimeToLive: nil), Subject.makeWithResolver()
      )
      _ = cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 0) }
      _ = cache.promise(for: 1) { _ in
        let value = try await work()
        loaded.1.fulfill(with: value)
        return value
      }
      return loaded.0
    },
    Starter(testDescription: "when(maxConcurrent:), first input") { _, work in
      when(fulfilled: [1], maxConcurrent: 1) { _ in try await work() }.map(on: .immediate) { $0[0] }
    },
    Starter(testDescription: "when(maxConcurrent:), later input") { gate, work in
      when(fulfilled: [1, 2, 3], maxConcurrent: 1) { number in
        if number == 1 { return try await gate.value }
        return try await work()
      }.map(on: .immediate) { $0[2] }
    },
  ]

  @Test("8.13 an async closure finds the task-local values of the call that starts it", arguments: starters)
  func values(starter: Starter) async {
    let (gate, resolver) = Subject.makeWithResolver()
    let promise = Request.$id.withValue(7) {
      starter.start(gate) {
        await Task.yield()
        return Request.id
      }
    }
    Request.$id.withValue(8) { resolver.fulfill(with: 8) }
    #expect(await promise.outcome()?.value == 7)
  }

  @Test("8.13 8.12 the values are released when the call's promise has resolved", arguments: starters)
  func released(starter: Starter) async {
    let (gate, resolver) = Subject.makeWithResolver()
    let (tracker, released) = (Tracker(), Latch())
    let promise = Self.$object.withValue(tracker.make { released.signal() }) { starter.start(gate) { 7 } }
    resolver.fulfill(with: 8)
    #expect(await promise.outcome()?.value == 7)
    await released.wait(for: "the values to be released")
  }

  @TaskLocal private static var object: Tracker.Tracked?
}
