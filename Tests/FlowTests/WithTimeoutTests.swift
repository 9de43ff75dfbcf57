import Dispatch
import OvermorrowFlow
import Testing

@testable import Overmorrow

/// A time limit for an async closure.
@Suite(.inTurn) struct WithTimeoutTests {
  private let clock = TestClock()

  /// State that is not `Sendable`.
  private final class Notes {
    var lines: [String] = []
  }

  private enum Local {
    @TaskLocal static var number = 0
  }

  private actor Desk {
    private let notes = Notes()

    func write(_ clock: TestClock) async throws -> Int {
      var count = 0
      let same = try await withTimeout(.seconds(1), clock: clock) {
        self.preconditionIsolated()
        notes.lines.append("a")
        await Task.yield()
        self.preconditionIsolated()
        notes.lines.append("b")
        count += 1
        return notes
      }
      return same.lines.count + count
    }
  }

  private actor Poller {
    /// Reaches the deadline on another thread while the closure runs, and returns whether the closure sees the request.
    func seesRequest(_ clock: TestClock, _ seen: Recorder<Bool>) async throws {
      try await withTimeout(.seconds(1), clock: clock) {
        self.preconditionIsolated()
        DispatchQueue.global().sync { tick(clock, by: .seconds(1)) }
        seen.record(Task.isCancelled)
      }
    }
  }

  @Test("20.1 a closure that ends in time gives its result and leaves no timer")
  func inTime() async throws {
    let value = try await withTimeout(.seconds(1), clock: clock) { 7 }
    #expect(value == 7)
    await #expect(throws: Refusal.first) { try await withTimeout(.seconds(1), clock: clock) { throw Refusal.first } }
    #expect(clock.sleeperCount == 0)
    #expect(try await withTimeout(.seconds(3600)) { 8 } == 8)
  }

  @Test("20.2 a closure that polls sees the request without being suspended")
  func polling() async {
    let seen = Recorder<Bool>()
    func call(_ body: () async throws -> Void) async -> Bool {
      do { try await body() } catch { return error is PromiseTimeoutError<any Error> }
      return false
    }
    let inside = await call {
      try await withTimeout(.seconds(1), clock: clock) {
        tick(clock, by: .seconds(1))
        seen.record(Task.isCancelled)
      }
    }
    let onActor = await call { try await Poller().seesRequest(clock, seen) }
    #expect((inside, onActor) == (true, true))
    #expect(seen.entries == [true, true])
    #expect(!Task.isCancelled)
  }

  @Test("20.2 a cancellation handler that takes long does not delay other timers")
  func slowHandler() async {
    let (other, isDelayed) = (DispatchSemaphore(value: 0), Recorder<Bool>())
    await #expect(throws: PromiseTimeoutError<any Error>.self) {
      try await withTimeout(.milliseconds(1)) {
        try await withTaskCancellationHandler {
          try await Task.sleep(for: .seconds(60))
        } onCancel: {
          Promise<Void, Never>(on: .immediate, fulfilled: (), after: .milliseconds(1)).tap(on: .immediate) { _ in
            other.signal()
          }
          isDelayed.record(other.wait(timeout: .now() + waitLimit) == .timedOut)
        }
      }
    }
    #expect(isDelayed.entries == [false])
  }

  @Test("20.1 20.2 a deadline that races with the end of the closure leaves one result")
  func deadlineRacesWithEnd() async throws {
    for round in 0..<scaled(20_000) / 10 {
      let clock = TestClock()
      do {
        let value = try await withTimeout(.seconds(1), clock: clock) {
          DispatchQueue.global().async { tick(clock, by: .seconds(1)) }
          for _ in 0..<round % 40 { await Task.yield() }
          return round
        }
        #expect(value == round)
      } catch {
        #expect(error is PromiseTimeoutError<any Error>)
      }
      try #require(clock.sleeperCount == 0)
    }
  }

  @Test(
    "20.2 at the deadline, the closure is asked to cancel, and the timeout error follows",
    arguments: Ending.allCases)
  func late(ending: Ending) async {
    let asked = Latch()
    let (permission, resolver) = Promise<Void, Never>.makeWithResolver()
    let call = Promise<Int, any Error> { [clock] in
      try await withTimeout(.seconds(5), clock: clock) {
        await withTaskCancellationHandler {
          // Waits on, whatever is asked.
          await Task { _ = await permission.finalResult }.value
        } onCancel: {
          asked.signal()
        }
        switch ending {
        case .value: return 1
        case .error: throw Refusal.first
        case .cancelled: throw CancellationError()
        }
      }
    }
    await clock.waitForSleepers(1)
    tick(clock, by: .seconds(4))
    #expect(!asked.isOpen)
    tick(clock, by: .seconds(1))
    await asked.wait(for: "the request to cancel")
    #expect(call.result == nil, "the call waits for its closure")
    resolver.fulfill(with: ())
    guard case PromiseTimeoutError<any Error>.timedOut? = await call.outcome()?.error else {
      Issue.record("\(String(describing: call.result))")
      return
    }
  }

  @Test("20.3 the closure runs on the caller's actor, with non-Sendable values")
  func isolation() async throws {
    #expect(try await Desk().write(clock) == 3)
    let notes = Notes()
    var count = 0
    let same = try await withTimeout(.seconds(1), clock: clock) {
      notes.lines.append("c")
      count += 1
      return notes
    }
    #expect((same === notes, same.lines, count) == (true, ["c"], 1))
    try await onMain(notes)
  }

  @MainActor private func onMain(_ notes: sending Notes) async throws {
    try await withTimeout(.seconds(1), clock: clock) {
      MainActor.preconditionIsolated()
      notes.lines.append("d")
    }
    #expect(notes.lines.count == 2)
  }

  @Test("20.3 the closure has the task-local values and the priority of the caller's task")
  func surroundings() async throws {
    let (local, priority) = try await Task(priority: .high) { [clock] in
      try await Local.$number.withValue(7) {
        try await withTimeout(.seconds(1), clock: clock) { (Local.number, Task.currentPriority) }
      }
    }.value
    #expect((local, priority) == (7, .high))
  }

  @Test("20.3 when the priority of the caller's task rises, that of the closure rises")
  func escalation() async throws {
    let (begun, risen) = (Latch(), Latch())
    let task = Task(priority: .low) { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        begun.signal()
        await until("the priority to rise") { Task.currentPriority == .high }
        risen.signal()
      }
    }
    await begun.wait(for: "the closure to begin")
    let waiting = Task(priority: .high) { try await task.value }
    await risen.wait(for: "the priority to rise")
    try await waiting.value
  }

  @Test("20.4 when the caller's task is cancelled, the closure is cancelled, and its result counts")
  func cancelled() async throws {
    let task = Task { [clock] in
      try await withTimeout(.seconds(5), clock: clock) {
        try? await clock.sleep(for: .seconds(1))
        return Task.isCancelled
      }
    }
    await clock.waitForSleepers(2)
    task.cancel()
    #expect(try await task.value)
    #expect(clock.sleeperCount == 0)
    let late = Task { [clock] in
      cancelCurrentTask()
      return try await withTimeout(.seconds(5), clock: clock) { try Task.checkCancellation() }
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test(
    "20.5 without any time the closure is not called",
    arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func noTime(limit: Duration) async {
    let calls = Counter()
    await #expect(throws: PromiseTimeoutError<any Error>.self) {
      try await withTimeout(limit, clock: clock) { _ = calls.increment() }
    }
    #expect(calls.count == 0)
  }

  @Test("20.1 20.2 a limit inside a limit ends as a model says, in random programs")
  func model() async {
    var generator = SeededGenerator(seed: 20)
    for round in 0..<scaled(10_000) / 10 {
      var model = Nesting(using: &generator)
      let (clock, asked, start) = (TestClock(), Counter(), model)
      let call = Promise<Void, any Error> { try await start.run(on: clock, asked) }
      repeat {
        await until("round \(round) to wait for \(model)") {
          asked.count == (model.isAsked ? 1 : 0) && clock.sleeperCount == model.deadlines.count
        }
        clock.advanceToNext()
        model.advance()
      } while !model.deadlines.isEmpty
      let isTimedOut = await call.outcome()?.error is PromiseTimeoutError<any Error>
      #expect((isTimedOut, clock.now.offset) == (model.isAsked, .seconds(model.now)), "round \(round): \(start)")
    }
  }

  /// A limit in another limit, around work that takes a while to comply with a request.
  private struct Nesting {
    enum Event: CaseIterable { case outer, inner, work }

    /// The model: the time, the deadlines that are left, and whether the work was asked to cancel.
    private(set) var now = 0
    private(set) var deadlines: [Event: Int] = [:]
    private(set) var isAsked = false
    private let compliance: Int

    init(using generator: inout SeededGenerator) {
      let times = (1...30).shuffled(using: &generator)
      for (event, time) in zip(Event.allCases, times) { deadlines[event] = time }
      compliance = times[3]
    }

    /// The first limit that the work reaches asks the work, which ends after the time to comply.
    mutating func advance() {
      now = deadlines.values.min() ?? now
      let due = deadlines.filter { $0.value == now }
      if due[.work] != nil {
        deadlines = [:]
        return
      }
      for event in due.keys { deadlines[event] = nil }
      if !isAsked { deadlines[.work] = now + compliance }
      isAsked = true
    }

    func run(on clock: TestClock, _ asked: Counter) async throws {
      func time(_ event: Event) -> Duration { .seconds(deadlines[event] ?? 0) }
      let compliance = compliance
      try await withTimeout(time(.outer), clock: clock) {
        try await withTimeout(time(.inner), clock: clock) {
          do {
            try await clock.sleep(for: time(.work))
          } catch {
            asked.increment()
            await Task { try? await clock.sleep(for: .seconds(compliance)) }.value
            throw error
          }
        }
      }
    }
  }

  @Test("20.1 20.2 a closure that ends at the deadline gives one of the two results")
  func races() async {
    for _ in 0..<scaled(20_000) / 20 {
      let (clock, started) = (TestClock(), Latch())
      let (end, resolver) = Promise<Int, any Error>.makeWithResolver()
      let call = Task {
        try await withTimeout(.seconds(1), clock: clock) {
          started.signal()
          return try await end.value
        }
      }
      await started.wait(for: "the closure")
      async let fulfilled: Void = { @Sendable () async in resolver.fulfill(with: 7) }()
      async let advanced: Void = { @Sendable () async in tick(clock, by: .seconds(1)) }()
      _ = await (fulfilled, advanced)
      switch await call.result {
      case .success(let value): #expect(value == 7)
      case .failure(let error): #expect(error is PromiseTimeoutError<any Error>)
      }
    }
  }
}
