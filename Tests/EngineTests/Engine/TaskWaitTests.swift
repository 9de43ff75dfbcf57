import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct TaskWaitTests {
  /// Waits like `waitForFinalResult`, and calls a closure after the wait has started and before the task has suspended.
  private func endsWithResult(of promise: Promise<Int, Never>, _ event: (borrowing TaskWait) -> Void) async -> Bool {
    let wait = TaskWait()
    await TaskContinuation<Void>.stop { continuation in
      wait.start(on: promise.handle, resuming: continuation)
      event(wait)
    }
    return wait.finish()
  }

  @Test("8.1 8.3 a task that is resumed before it has suspended continues with its outcome")
  func resumedEarly() async {
    let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
    #expect(await !endsWithResult(of: promise) { $0.cancel() })
    #expect(await endsWithResult(of: promise) { _ in resolver.fulfill(with: 7) })
    #expect(promise.result == .value(7))
  }
}
