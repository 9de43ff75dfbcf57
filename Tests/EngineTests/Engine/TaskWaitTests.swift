import Foundation
import Testing

@testable import Overmorrow

@Suite(.inTurn) struct TaskWaitTests {
  /// What another thread writes before it fulfils a promise.
  private final class Letter: @unchecked Sendable {
    // Sendable: written before the promise is fulfilled, and read after that.
    var text = ""
  }

  /// What two threads tell each other without an order that ThreadSanitizer sees.
  private final class Signals: Sendable {
    let waits = Atomic(false)
    let isFulfilled = Atomic(false)
  }

  @Test("8.1 a task that is resumed before it has suspended gets what the promise has")
  func resumedEarly() async {
    let (letter, signals) = (Letter(), Signals())
    let (promise, resolver) = Promise<Letter, Never>.makeWithResolver()
    Thread {
      while !signals.waits.load(ordering: .relaxed) { sched_yield() }
      letter.text = "read me"
      resolver.fulfill(with: letter)
      signals.isFulfilled.store(true, ordering: .relaxed)
    }.start()
    let wait = TaskWait()
    // As `waitForFinalResult` does it, but for the time between its two steps.
    await TaskContinuation<Void>.stop { continuation in
      wait.core.write(continuation)
      wait.start(on: promise.handle)
      signals.waits.store(true, ordering: .relaxed)
      while !signals.isFulfilled.load(ordering: .relaxed) { sched_yield() }
    }
    #expect(wait.finish())
    #expect(promise.handle.core.result(Letter.self, Never.self)?.value?.text == "read me")
  }
}
