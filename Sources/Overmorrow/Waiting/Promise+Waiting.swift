internal import Dispatch

extension Promise {
  /// The result, for which the calling thread is blocked.
  ///
  /// For code that cannot be asynchronous: a command-line tool, a test, an old interface that must return a value.
  /// Elsewhere use ``finalResult``, or a callback.
  ///
  /// The wait has one vote, like an observer. Work of this library on the global queues goes on however many threads
  /// are blocked in such waits: if it must, on threads beyond the pool.
  ///
  /// - Throws: ``PromiseWaitError/deadlock`` instead of blocking for ever, where that can be known: the promise needs a
  ///   step that has to run on the main queue, on the serial queue that runs the wait, or by the thread that waits.
  ///   Otherwise it returns when the promise has resolved.
  @available(*, noasync, message: "it blocks a thread; use 'await finalResult'")
  public func waitForResult() throws(PromiseWaitError) -> PromiseResult<Value, Failure> {
    try block(until: nil)
  }

  /// The result, for which the calling thread is blocked for a limited time.
  ///
  /// As ``waitForResult()``. When the time is up, the wait withdraws its vote; if nothing else holds the promise, it is
  /// asked to cancel.
  ///
  /// - Parameter timeout: How long to wait at most. With zero or less this only reads ``result``: it neither blocks the
  ///   thread nor has a vote.
  /// - Returns: The result, or `nil` if there is none in time.
  @available(*, noasync, message: "it blocks a thread; use 'await timeout(_:).finalResult'")
  public func waitForResult(timeout: Duration) -> PromiseResult<Value, Failure>? {
    // Only reads the result: no vote, no wait, and nothing that stays.
    if timeout <= .zero { return result }
    // With a deadline a wait fails for one reason only: the time is up.
    return try? block(until: ContinuousClock.now.advanced(by: timeout.asWait))
  }

  private func block(until deadline: ContinuousClock.Instant?) throws(PromiseWaitError) -> PromiseResult<Value, Failure>
  {
    if let result { return result }
    let resolved = DispatchSemaphore(value: 0)
    let child = observe(
      ReportStep<Value, Failure, FullPart>.self, on: .immediate, gate: nil, .init { _ in resolved.signal() })
    let isOnMain = MainQueue.isCurrent
    let outer = isOnMain ? MainTurns.block(with: resolved) : nil
    defer { if isOnMain { _ = MainTurns.block(with: outer) } }
    while true {
      if isOnMain { MainTurns.runAll() }
      // The result first: the child of a promise that has resolved meanwhile may have been deferred to this thread.
      if let result { return result }
      do {
        try BlockingWait(for: handle.core, resolved: resolved, until: deadline).run()
      } catch {
        child.handle.core.endWaiting()
        throw error
      }
    }
  }
}

extension Promise where Failure: Error {
  /// The value, for which the calling thread is blocked.
  ///
  /// Waits as ``waitForResult()`` does.
  ///
  /// ```swift
  /// let text = try readFile("notes.txt").wait()
  /// ```
  ///
  /// - Throws: The promise's error; `CancellationError` if it is cancelled; ``PromiseWaitError/deadlock`` where that
  ///   can be known.
  @available(*, noasync, message: "it blocks a thread; use 'await value'")
  @discardableResult
  public func wait() throws -> Value { try waitForResult().get() }

  /// The value, for which the calling thread is blocked for a limited time.
  ///
  /// Waits as ``waitForResult(timeout:)`` does.
  ///
  /// - Parameter timeout: How long to wait at most. With zero or less this only reads the result: it neither blocks the
  ///   thread nor has a vote.
  /// - Throws: The promise's error; `CancellationError` if it is cancelled; ``PromiseWaitError/timedOut`` when the time
  ///   is up.
  @available(*, noasync, message: "it blocks a thread; use 'await timeout(_:).value'")
  @discardableResult
  public func wait(timeout: Duration) throws -> Value {
    guard let result = waitForResult(timeout: timeout) else { throw PromiseWaitError.timedOut }
    return try result.get()
  }
}
