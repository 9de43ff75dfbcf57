import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct PromiseAwaitingTests {
  @Test("8.1 a task reads a resolved promise at once, even if it is cancelled")
  func resolved() async {
    #expect(await Subject(fulfilled: 1).finalResult == .value(1))
    #expect(await Subject(rejected: "no").finalResult == .error("no"))
    #expect(await Subject(with: .cancelled).finalResult == .cancelled)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await Subject(fulfilled: 1).finalResult
    }
    task.cancel()
    #expect(await task.value == .value(1))
  }

  @Test("8.1 a thousand waiting tasks block no thread")
  func blocksNoThread() async {
    let (gate, resolver) = Promise<Int, any Error>.makeWithResolver()
    let waits = (0..<1000).map { _ in Promise<Int, any Error> { try await gate.value } }
    Promise<Int, any Error>(on: .default) { $0.fulfill(with: 1) }.then(on: .default) { resolver.fulfill(with: $0) }
    #expect(await when(fulfilled: waits).outcome()?.value?.reduce(0, +) == 1000)
  }

  @Test(
    "8.1 a task waits for the outcome",
    arguments: [.value(1), .error("no"), .cancelled] as [PromiseResult<Int, Reason>])
  func pending(_ result: PromiseResult<Int, Reason>) async {
    let (promise, resolver) = Subject.makeWithResolver()
    let task = Task { await promise.finalResult }
    await waitForVotes(1, on: promise)
    resolver.resolve(with: result)
    #expect(await task.value == result)
  }

  @Test("8.1 11.5 `value` returns the value, throws the error, and throws CancellationError for a cancelled promise")
  func value() async throws {
    #expect(try await Promise<Int, any Error>(fulfilled: 1).value == 1)
    await #expect(throws: Refusal.first) { try await Promise<Int, any Error>(rejected: Refusal.first).value }
    await #expect(throws: Refusal.second) { try await Promise<Int, Refusal>(rejected: .second).value }
    await #expect(throws: CancellationError.self) { try await Promise<Int, Refusal>(with: .cancelled).value }
    let never = Promise<Int, Never>(with: .cancelled)
    do throws(CancellationError) {
      _ = try await never.value
      Issue.record("a cancelled promise has a value")
    } catch {}
    #expect(try await Promise<Int, Never>(fulfilled: 1).value == 1)
  }

  @Test("8.3 cancelling a waiting task ends its wait at once without affecting the promise")
  func prompt() async {
    let (promise, resolver) = Subject.makeWithResolver()
    let task = Task { await promise.finalResult }
    let other = Task { await promise.finalResult }
    await waitForVotes(2, on: promise)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(promise.result == nil && !resolver.hasRequestedCancel)
    resolver.fulfill(with: 3)
    #expect(await other.value == .value(3))
  }

  @Test("8.3 11.4 a task that is cancelled before it waits still withdraws its vote")
  func cancelledBefore() async {
    let probe = IntProbe()
    let isHeld = Latch()
    let task = Task { [promise = Holder(probe.take())] in
      while !Task.isCancelled { await Task.yield() }
      let mine = promise.value
      promise.value = nil
      isHeld.signal()
      return await mine?.finalResult
    }
    task.cancel()
    await isHeld.wait(for: "the task")
    #expect(await task.value == .cancelled)
    #expect(probe.requestCount == 1)
  }

  @Test("8.1 each of 10,000 tasks, half of them cancelled during resolution, returns once")
  func many() async {
    let (promise, resolver) = Subject.makeWithResolver()
    let count = scaled(10_000)
    let returned = Counter()
    let tasks = (0..<count).map { _ in
      Task {
        let outcome = await promise.finalResult
        returned.increment()
        return outcome
      }
    }
    await waitForVotes(count, on: promise)
    async let cancelling: Void = Task.detached { for task in tasks[..<(count / 2)] { task.cancel() } }.value
    async let resolving: Void = Task.detached { resolver.fulfill(with: 7) }.value
    _ = await (cancelling, resolving)
    var cancelled = 0
    for (index, task) in tasks.enumerated() {
      let outcome = await task.value
      if outcome == .cancelled, index < count / 2 { cancelled += 1 } else { #expect(outcome == .value(7)) }
    }
    #expect(returned.count == count)
    #expect(promise.result == .value(7))
  }

  @Test("8.1 when 10,000 waiting tasks are cancelled, the last one asks the producer once")
  func lastVoteOfMany() async {
    let count = scaled(10_000)
    let probe = IntProbe()
    let waiting = Latch(count)
    let tasks = { () -> [Task<PromiseResult<Int, ProbeError>, Never>] in
      let promise = probe.take()
      return (0..<count).map { _ in
        Task {
          waiting.signal()
          return await promise.finalResult
        }
      }
    }()
    await waiting.wait(for: "every task to start")
    let last = tasks[count - 1]
    await withTaskGroup { group in
      for part in 0..<4 {
        group.addTask {
          for index in stride(from: part, to: count - 1, by: 4) { tasks[index].cancel() }
        }
      }
    }
    for task in tasks.dropLast() { #expect(await task.value == .cancelled) }
    #expect(probe.requestCount == 0)
    last.cancel()
    #expect(await last.value == .cancelled)
    #expect(probe.requestCount == 1)
  }

  @Test("8.1 11.4 when a wait, the result and the task's cancellation race, the wait returns")
  func races() async {
    let tasks = Recorder<Task<PromiseResult<Int, Reason>, Never>>()
    await race(
      rounds: 2000, { (pair: Subject.makeWithResolver(), task: Holder<Task<PromiseResult<Int, Reason>, Never>>()) },
      { round in
        let task = Task { await round.pair.0.finalResult }
        round.task.value = task
        tasks.record(task)
      },
      { $0.task.value?.cancel() },
      { $0.pair.1.fulfill(with: 7) },
      check: { $0.pair.0.result == .value(7) ? nil : "\($0.pair.0)" })
    let returned = Latch()
    let values = Task {
      for task in tasks.entries { #expect([.value(7), .cancelled].contains(await task.value)) }
      returned.signal()
    }
    await returned.wait(for: "all tasks to return")
    values.cancel()
  }

  @Test("8.1 8.10 a waiting task leaves nothing behind after the promise has resolved")
  func nothingLeft() async {
    let tracker = Tracker()
    do {
      let (promise, resolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
      let tasks = (0..<10).map { _ in Task { await promise.finalResult.isCancelled } }
      await waitForVotes(10, on: promise)
      for task in tasks[..<5] { task.cancel() }
      for task in tasks[..<5] { #expect(await task.value) }
      resolver.fulfill(with: tracker.make())
      for task in tasks[5...] { #expect(await !task.value) }
    }
    #expect(tracker.count == 0)
  }

  /// Waits until the given number of tasks have registered a vote.
  private func waitForVotes<Value, Failure>(_ count: Int, on promise: Promise<Value, Failure>) async {
    while promise.handle.core.votesNow.count < UInt32(count) { await Task.yield() }
  }
}
