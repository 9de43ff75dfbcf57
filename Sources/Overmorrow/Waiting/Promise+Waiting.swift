internal import Dispatch
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise {
  /// Blocks the calling thread until the promise is resolved, and returns the result.
  ///
  /// Use this method in code that cannot be asynchronous, such as a command-line tool, a test, or an old interface that
  /// must return a value. Elsewhere use ``finalResult`` or a callback.
  ///
  /// The wait has one vote, as an observer has. A wait that has blocked the main queue or a thread of a pool for a
  /// second is reported if the promise is watched.
  ///
  /// - Throws: ``PromiseWaitError/deadlock(details:)`` if the wait blocks the queue on which a step has to run before
  ///   the promise can resolve. <doc:BlockingWaits> says which deadlocks are found.
  @available(*, noasync, message: "it blocks a thread; use 'await finalResult'")
  public func waitForResult() throws(PromiseWaitError) -> PromiseResult<Value, Failure> {
    try block(until: nil)
  }

  /// Blocks the calling thread until the promise is resolved or a timeout has passed.
  ///
  /// This method waits as ``waitForResult()`` does, but does not look for deadlocks. When the timeout has passed, the
  /// wait withdraws its vote. If there is no other vote, the promise is asked to cancel as soon as the promise has no
  /// handle any more.
  ///
  /// - Parameter timeout: The longest time to wait. With zero or less, the method only reads ``result``, and neither
  ///   blocks the thread nor has a vote.
  /// - Returns: The result, or `nil` if the timeout has passed.
  @available(*, noasync, message: "it blocks a thread; use 'await timeout(_:).finalResult'")
  public func waitForResult(timeout: Duration) -> PromiseResult<Value, Failure>? {
    // Only reads the result. This creates no vote, no wait and no step.
    if timeout <= .zero { return result }
    // A wait with a deadline throws only if the timeout has passed.
    return try? block(until: ContinuousClock.now.advanced(by: timeout.asWait))
  }

  /// Blocks the calling thread until the promise is resolved or the deadline has passed.
  func block(
    until deadline: ContinuousClock.Instant?, lookingEvery interval: Duration = BlockingWait.interval
  ) throws(PromiseWaitError) -> PromiseResult<Value, Failure> {
    if let result { return result }
    let resolved = DispatchSemaphore(value: 0)
    let child = observe(
      ReportStep<Value, Failure, WithdrawableVote>.self, on: .immediate, gate: nil, .init { _ in resolved.signal() })
    while true {
      // The result is read before the thread blocks, because the promise may have resolved meanwhile. In that case, the
      // child that signals the semaphore may be deferred to this thread, and a blocked thread would never run it.
      if let result { return result }
      do {
        try BlockingWait(core: handle.core, resolved: resolved, deadline: deadline, interval: interval).run()
      } catch {
        child.handle.core.cancelWaiting()
        throw error
      }
    }
  }
}

extension Promise where Failure: Error {
  /// Blocks the calling thread until the promise is resolved, and returns the value.
  ///
  /// This method waits as ``waitForResult()`` does.
  ///
  /// ```swift
  /// let text = try readFile("notes.txt").wait()
  /// ```
  ///
  /// - Throws: The promise's error; `CancellationError` if the promise is cancelled;
  ///   ``PromiseWaitError/deadlock(details:)`` if a deadlock is detected.
  @available(*, noasync, message: "it blocks a thread; use 'await value'")
  @discardableResult
  public func wait() throws -> Value { try waitForResult().get() }

  /// Blocks the calling thread until the promise is resolved or a timeout has passed, and returns the value.
  ///
  /// This method waits as ``waitForResult(timeout:)`` does.
  ///
  /// - Parameter timeout: The longest time to wait. With zero or less, the method only reads the result, and neither
  ///   blocks the thread nor has a vote.
  /// - Throws: The promise's error; `CancellationError` if the promise is cancelled;
  ///   ``PromiseWaitError/timedOut(details:)`` if the timeout has passed.
  @available(*, noasync, message: "it blocks a thread; use 'await timeout(_:).value'")
  @discardableResult
  public func wait(timeout: Duration) throws -> Value {
    guard let result = waitForResult(timeout: timeout) else {
      throw PromiseWaitError.timedOut(details: withExtendedLifetime(handle) { handle.core.waitDetails })
    }
    return try result.get()
  }
}
