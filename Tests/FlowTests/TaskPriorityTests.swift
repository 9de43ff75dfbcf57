import OvermorrowFlow
import Testing

@testable import Overmorrow

/// The task priority of async work for which a task with a higher priority waits.
@Suite(.inTurn) struct TaskPriorityTests {
  private typealias Work = @Sendable () async throws -> Int

  private let gate = Promise<Int, any Error>.makeWithResolver()
  private let begun = Latch()
  private let waits = Latch()
  private let priorities = Recorder<TaskPriority>()

  /// Work that records its priority after the gate has opened.
  private var work: Work {
    { [gate, begun, priorities] in
      begun.signal()
      let value = try await gate.0.value
      priorities.record(Task.currentPriority)
      return value
    }
  }

  @Test("14.34 a load rises to the priority of a task that joins it")
  func load() async throws {
    let cache = PromiseCache<Int, Int, any Error>()
    let first = Recorder<Int?>()
    Task.detached(priority: .background) { [gate, begun, priorities] in
      let value = try? await cache.value(for: 1) { _ in
        begun.signal()
        let value = try await gate.0.value
        // The thread of the first caller may not have kept the task yet, and then raises the task when it keeps it.
        await until("the higher priority") { Task.currentPriority == .high }
        priorities.record(Task.currentPriority)
        return value
      }
      first.record(value)
    }
    await begun.wait(for: "the load to begin")
    cache.observeCounters { [waits] _ in waits.signal() }
    let second = Task.detached(priority: .high) { try await cache.value(for: 1) { _ in 0 } }
    await waits.wait(for: "the second caller to join")
    // The caller counts its hit after it has raised the load.
    gate.1.fulfill(with: 7)
    #expect(try await second.value == 7)
    await until("the first caller's value") { first.entries == [7] }
    #expect(priorities.entries == [.high])
  }

  @Test("8.14 a wait for a promise does not raise its task", arguments: [false, true])
  func promise(isJob: Bool) async throws {
    let limiter = PromiseLimiter(width: 1)
    let made = Recorder<Promise<Int, any Error>>()
    Task.detached(priority: .background) { [work] in
      made.record(isJob ? limiter.run { try await work() } : Promise { try await work() })
    }
    await begun.wait(for: "the work to begin")
    await until("the promise") { made.entries.count == 1 }
    let promise = made.entries[0]
    let waiting = Task.detached(priority: .high) { [waits] in
      waits.signal()
      return try await promise.value
    }
    await waits.wait(for: "the task to wait")
    gate.1.fulfill(with: 7)
    #expect(try await waiting.value == 7)
    #expect(priorities.entries == [.background])
  }
}
