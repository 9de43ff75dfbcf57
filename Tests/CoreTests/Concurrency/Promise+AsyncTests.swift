import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

private enum Trace {
  @TaskLocal static var name = "nobody"
}

private final class OwnQueueExecutor: TaskExecutor {
  let queue = DispatchQueue(label: "own executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

@Suite(.inTurn) struct PromiseAsyncTests {
  @Test("8.2 an async closure fulfils the promise with its value or rejects it")
  func outcomes() async {
    #expect(await Promise<Int, Never> { 1 }.finalResult.value == 1)
    #expect(
      await Subject {
        await Task.yield()
        return 2
      }.finalResult == .value(2))
    #expect(await Subject { () async throws(Reason) in throw "no" }.finalResult == .error("no"))
  }

  @Test("8.2 a request to cancel cancels the task, whose outcome counts")
  func cancel() async {
    let stubborn = Promise<Int, any Error> {
      while !Task.isCancelled { await Task.yield() }
      return 5
    }
    stubborn.requestCancel()
    #expect(await stubborn.finalResult.value == 5)
  }

  @Test("8.2 8.8 the closure has the requested priority, and its place's task-local values and actor")
  func environment() async {
    let seen = await Promise<TaskPriority, Never>(priority: .background) { Task.currentPriority }.finalResult.value
    // Waiting may raise the priority, but never above that of the waiting task.
    #expect(seen.map { $0 >= .background } == true)
    let name = await Trace.$name.withValue("caller") { await Promise<String, Never> { Trace.name }.finalResult.value }
    #expect(name == "caller")
    #expect(await onMainActor().finalResult.value == true)
    #expect(await Promise<Bool, Never> { @MainActor in MainQueue.isCurrent }.finalResult.value == true)
    let canFail = Promise<Bool, any Error> { @MainActor () async throws -> Bool in MainQueue.isCurrent }
    #expect(await canFail.finalResult.value == true)
  }

  @MainActor private func onMainActor() -> Promise<Bool, Never> {
    Promise {
      MainActor.assertIsolated()
      return MainQueue.isCurrent
    }
  }

  @Test("8.2 the closure runs on the preferred task executor")
  func taskExecutor() async {
    let executor = OwnQueueExecutor()
    let promise = Promise<Bool, Never>(taskExecutor: executor) {
      await Task.yield()
      dispatchPrecondition(condition: .onQueue(executor.queue))
      return true
    }
    #expect(await promise.finalResult.value == true)
  }

  @Test("8.2 10,000 awaited promises of async closures end although a third is cancelled")
  func many() async {
    let promises = (0..<scaled(10_000)).map { index in
      Promise<Int, any Error> {
        await Task.yield()
        try Task.checkCancellation()
        return index
      }
    }
    for index in stride(from: 0, to: promises.count, by: 3) { promises[index].requestCancel() }
    for (index, promise) in promises.enumerated() {
      let outcome = await promise.finalResult
      if index % 3 != 0 || !outcome.isCancelled { #expect(outcome.value == index) }
    }
  }
}
