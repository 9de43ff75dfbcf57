internal import Dispatch
internal import Overmorrow

// The forms of `advance` and `run` for async tests. The compiler prefers them where `await` can be written.

extension TestClock {
  /// Advances the time, and waits until all submitted work has ended: once before the time moves, and again after each
  /// deadline.
  ///
  /// For example, a model on the main actor with a debounce, a timeout or a retry on this clock has done everything
  /// that is due by then:
  ///
  /// ```swift
  /// model.query = "swift"
  /// await clock.advance(by: .milliseconds(300))
  /// #expect(model.results == ["Swift 6"])
  /// ```
  ///
  /// When the call returns, the callbacks that were submitted to the main queue, to other queues or to actors have run,
  /// and so have the callbacks that followed from them; tasks have had the opportunity to run as far as they can. The
  /// call does not wait for a promise that waits for a resolver, for this or another clock, or for the network. Nor
  /// does it wait for the callbacks of a ``ManualContext``, which the test runs.
  ///
  /// Other tests in the same process may submit work all the time. The call therefore waits for at most a hundred
  /// rounds of callbacks, each caused by the one before.
  ///
  /// If a callback does not end within `bound`, the test fails.
  ///
  /// - Order: deadlines in order. All work that a deadline has caused ends before the next deadline.
  /// - Parameters:
  ///   - duration: The time to advance by. With `.zero`, the call waits for submitted work and handles what is due now.
  ///     A negative duration fails the test.
  ///   - bound: The longest time to wait for a running callback, in real time.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func advance(
    by duration: Duration, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestFailure(fileID, filePath, line, column)
    if duration < .zero { return place.record("a test clock cannot be advanced by \(duration)") }
    let end = now.advanced(by: duration.asWait)
    guard await waitUntilIdle(within: bound, place) else { return }
    while let next, next <= end {
      advanceToNext()
      guard await waitUntilIdle(within: bound, place) else { return }
    }
    advance(to: end)
  }

  /// Advances the time until no timer or sleeping task is left that work may depend on, and waits after each deadline
  /// until all work that it caused has ended. A cache's timers for expired values end if the time passes their
  /// deadlines, but do not advance it.
  ///
  /// If something still waits after `limit` deadlines, the test fails, because a timer is probably set again for ever.
  ///
  /// - Order: that of ``advance(by:within:fileID:filePath:line:column:)``.
  /// - Parameters:
  ///   - limit: The maximum number of deadlines.
  ///   - bound: The longest time to wait for a running callback, in real time.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func run(
    limit: Int = 10_000, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestFailure(fileID, filePath, line, column)
    guard await waitUntilIdle(within: bound, place) else { return }
    for _ in 0..<limit {
      guard isNeeded, advanceToNext() else { return }
      guard await waitUntilIdle(within: bound, place) else { return }
    }
    if isNeeded { place.record("\(self) still has timers or sleeping tasks after \(limit) deadlines") }
  }

  /// Waits until no submitted work is left. Returns `false` after failing the test.
  ///
  /// A round waits for all work that has been submitted by then. If no work is submitted in a round, tasks may run. If
  /// they submit none either, the wait is over.
  private func waitUntilIdle(within bound: Duration, _ place: TestFailure) async -> Bool {
    for _ in 0..<3 {
      var begun = 0
      for _ in 0..<100 {
        begun = HandOverCount.begun
        let isOver = await hasHappened(within: bound) { HandOverCount.whenEnded($0) }
        guard isOver else {
          place.record(
            "unfinished callbacks after \(bound): \(HandOverCount.unended)", PromiseDiagnostics.pending())
          return false
        }
        if HandOverCount.begun == begun { break }
      }
      for _ in 0..<10 {
        guard await hasHappened(within: bound, { DispatchQueue.main.async(execute: $0) }) else {
          place.record("the main queue did not run a block within \(bound)", PromiseDiagnostics.pending())
          return false
        }
        await waitForTasksToBegin()
      }
      if HandOverCount.begun == begun { break }
    }
    return true
  }

  /// Waits until all tasks that were ready to run have begun. It adds a task of each priority and waits for it, because
  /// tasks of one priority begin in order.
  private func waitForTasksToBegin() async {
    await withTaskGroup(of: Void.self) { group in
      for priority in [TaskPriority.high, .medium, .low, .background] { group.addTask(priority: priority) {} }
    }
  }

  private func hasHappened(within bound: Duration, _ start: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
    let (end, resolver) = PromiseScope.outside { Promise<Void, Never>.makeForLibrary() }
    start { resolver.fulfill(with: ()) }
    return await end.hasResolved(within: bound)
  }
}
