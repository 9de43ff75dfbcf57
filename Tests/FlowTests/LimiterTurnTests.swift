import Testing

@testable import Overmorrow
@testable import OvermorrowEngine
@testable import OvermorrowFlow

/// Async closures that take turns in a limiter: `perform`.
@Suite(.heavy) struct LimiterTurnTests {
  private final class NotSendable {
    var value = 0
  }

  private enum Local {
    @TaskLocal static var number = 0
  }

  private let limiter = PromiseLimiter(width: 1)

  private var isIdle: Bool { limiter.runningCount == 0 && limiter.pendingCount == 0 }

  /// Occupies the only place of the limiter until the resolver is used.
  private func occupy(_ limiter: PromiseLimiter) -> Subject.Resolver {
    let (gate, resolver) = Subject.makeWithResolver()
    _ = limiter.run(on: .immediate) { gate }
    return resolver
  }

  private func untilPending(_ count: Int, in limiter: PromiseLimiter) async {
    await until("\(count) to wait for a turn") { limiter.pendingCount == count }
  }

  @Test("13.12 a closure has a place until it returns or throws")
  func place() async throws {
    let value = try await limiter.perform {
      #expect((limiter.runningCount, limiter.pendingCount) == (1, 0))
      return 7
    }
    #expect((value, isIdle) == (7, true))
    await #expect(throws: Refusal.first) { try await limiter.perform { throw Refusal.first } }
    #expect(isIdle)
  }

  @MainActor
  @Test("13.12 the closure runs in the caller's task and isolation, with non-Sendable values")
  func isolation() async throws {
    let object = NotSendable()
    let resolver = occupy(limiter)
    let done = Task { @MainActor in
      await untilPending(1, in: limiter)
      resolver.fulfill(with: 0)
    }
    let returned = try await Local.$number.withValue(5) {
      try await limiter.perform {
        MainActor.assertIsolated()
        object.value = Local.number
        await Task.yield()
        MainActor.assertIsolated()
        return object
      }
    }
    #expect((returned.value, returned === object, isIdle) == (5, true, true))
    await done.value
  }

  @Test("13.3 13.12 closures and jobs wait in one queue, by priority and age")
  func order() async throws {
    let (resolver, order) = (occupy(limiter), Recorder<Int>())
    let record: @Sendable (Int) -> Void = { order.record($0) }
    var tasks: [Task<Void, any Error>] = []
    var jobs: [Subject] = []
    for (number, priority) in [0, 1, 0, 2].enumerated() {
      if number % 2 == 0 {
        tasks.append(Task { [limiter] in try await limiter.perform(priority: priority) { record(number) } })
      } else {
        jobs.append(
          limiter.run(on: .immediate, priority: priority) {
            record(number)
            return Subject(fulfilled: number)
          })
      }
      await untilPending(number + 1, in: limiter)
    }
    resolver.fulfill(with: 0)
    for task in tasks { try await task.value }
    #expect(order.entries == [3, 1, 0, 2])
    #expect((jobs.map(\.result), isIdle) == ([.value(1), .value(3)], true))
  }

  @Test("13.13 the higher task priority goes first, even if it rises during the wait")
  func taskPriority() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (resolver, order) = (occupy(limiter), Recorder<String>())
    let medium = Task(priority: .medium) { [limiter] in try await limiter.perform { order.record("medium") } }
    await untilPending(1, in: limiter)
    let low = Task(priority: .low) { [limiter] in try await limiter.perform { order.record("raised") } }
    await untilPending(2, in: limiter)
    low.escalatePriority(to: .high)
    await until("the priority to rise") {
      limiter.state.withLock { $0.pending.first?.taskPriority == TaskPriority.high.rawValue }
    }
    let high = Task(priority: .high) { [limiter] in try await limiter.perform { order.record("high") } }
    await untilPending(3, in: limiter)
    resolver.fulfill(with: 0)
    for task in [low, medium, high] { try await task.value }
    #expect(order.entries == ["raised", "high", "medium"])
  }

  @Test("13.14 a task that is cancelled while waiting leaves the queue and throws")
  func cancelledWhileWaiting() async {
    let (resolver, calls) = (occupy(limiter), Counter())
    let task = Task { [limiter] in try await limiter.perform { _ = calls.increment() } }
    await untilPending(1, in: limiter)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((limiter.pendingCount, limiter.runningCount, calls.count) == (0, 1, 0))
    resolver.fulfill(with: 0)
    #expect(isIdle)
  }

  @Test("13.14 a cancelled task throws without calling the closure, even if a place is free")
  func cancelledBefore() async {
    let calls = Counter()
    let task = Task { [limiter] in
      await until("the task to be cancelled") { Task.isCancelled }
      try await limiter.perform { _ = calls.increment() }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((calls.count, isIdle) == (0, true))
  }

  @Test("13.14 cancelAll ends the wait of tasks, and leaves a running closure alone")
  func cancelAll() async throws {
    let (gate, resolver) = Promise<Int, any Error>.makeWithResolver()
    let running = Task { [limiter] in try await limiter.perform { try await gate.value } }
    await until("the closure to run") { limiter.runningCount == 1 }
    let waiting = (0..<3).map { _ in Task { [limiter] in try await limiter.perform {} } }
    await untilPending(3, in: limiter)
    limiter.cancelAll()
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(limiter.runningCount == 1)
    resolver.fulfill(with: 3)
    #expect(try await running.value == 3)
    #expect(isIdle)
  }

  @Test("13.12 when turns, cancellations and widths race, no task and no place is lost")
  func races() async {
    let (limiter, inside, most, ended) = (PromiseLimiter(width: 2), Counter(), Maximum(), Counter())
    let count = scaled(2000)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          let task = Task {
            try await limiter.perform(priority: number % 3) {
              most.record(inside.increment())
              if number % 2 == 0 { await Task.yield() }
              inside.increment(by: -1)
            }
          }
          if number % 5 == 0 { task.cancel() }
          if number % 50 == 0 { limiter.width = 1 + number % 3 }
          _ = await task.result
          ended.increment()
        }
      }
    }
    #expect((ended.count, limiter.runningCount, limiter.pendingCount) == (count, 0, 0))
    #expect(most.value <= 3)
  }

  // MARK: Closures that would wait for themselves

  @Test("13.15 a closure that would wait for its own limiter throws instead")
  func ownLimiter() async throws {
    try await limiter.perform {
      await #expect(throws: PromiseRefusalError.waitsForItself) { try await limiter.perform {} }
      #expect((limiter.runningCount, limiter.pendingCount) == (1, 0))
    }
    let wide = PromiseLimiter(width: 2)
    try await wide.perform { try await wide.perform { #expect(wide.runningCount == 2) } }
    #expect(isIdle)
  }

  @Test("13.15 a closure that would wait for itself through others throws instead")
  func throughOthers() async throws {
    let other = PromiseLimiter(width: 1)
    try await limiter.perform {
      try await other.perform {
        _ = await #expect(throws: PromiseRefusalError.waitsForItself) { try await limiter.perform {} }
      }
      async let child: Void = limiter.perform {}
      do {
        try await child
        Issue.record("the child task has got a turn")
      } catch {
        #expect(error as? PromiseRefusalError == .waitsForItself)
      }
    }
    let job = limiter.run { [limiter] in try await limiter.perform { 1 } }
    await #expect(throws: PromiseRefusalError.waitsForItself) { try await job.value }
  }

  @Test("13.15 of two tasks that would wait for each other, the second throws")
  func eachOther() async throws {
    let (left, right) = (PromiseLimiter(width: 1), PromiseLimiter(width: 1))
    let (isInRight, isDone) = (Latch(), Recorder<Bool>())
    let first = Task {
      try await left.perform {
        await isInRight.wait(for: "the second task to be inside")
        try await right.perform { isDone.record(true) }
      }
    }
    try await right.perform {
      isInRight.signal()
      await until("the first task to wait") { right.pendingCount == 1 }
      await #expect(throws: PromiseRefusalError.waitsForItself) { try await left.perform {} }
    }
    try await first.value
    #expect(isDone.entries == [true])
  }

  @Test("13.15 a nested closure waits if a place can become free without it")
  func mayWait() async throws {
    let (gate, resolver) = Promise<Int, any Error>.makeWithResolver()
    let wide = PromiseLimiter(width: 2)
    let other = Task { try await wide.perform { _ = try await gate.value } }
    await until("the other task to run") { wide.runningCount == 1 }
    let nested = Task { try await wide.perform { try await wide.perform { 5 } } }
    await until("the nested closure to wait") { wide.pendingCount == 1 }
    resolver.fulfill(with: 0)
    #expect(try await nested.value == 5)
    try await other.value
    #expect((wide.runningCount, wide.pendingCount) == (0, 0))
  }

  @Test("13.15 a detached task is not part of the closure that creates it")
  func detached() async throws {
    let (task, isWaiting) = try await limiter.perform {
      let task = Task.detached { [limiter] in try await limiter.perform { 4 } }
      await untilPending(1, in: limiter)
      return (task, limiter.pendingCount == 1)
    }
    #expect((try await task.value, isWaiting) == (4, true))
  }
}
