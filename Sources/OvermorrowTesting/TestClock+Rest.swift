internal import Dispatch
internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

// The forms of `advance` and `run` for async tests. The compiler prefers these forms where `await` can be written.

extension TestClock {
  /// Advances the time, and waits until all submitted work has ended. The call waits once before the time moves, and
  /// again after each deadline.
  ///
  /// For example, a model on the main actor may use a debounce, a timeout or a retry on this clock. When the call
  /// returns, the model has done everything that is due:
  ///
  /// ```swift
  /// model.query = "swift"
  /// await clock.advance(by: .milliseconds(300))
  /// #expect(model.results == ["Swift 6"])
  /// ```
  ///
  /// When the call returns, the callbacks that were submitted to the main queue, to other queues or to actors have run.
  /// All callbacks that those callbacks have caused have also run. Async closures that the library runs in tasks of
  /// their own, such as those of promises and the loads of caches, have reached their next wait. Other tasks have had
  /// the opportunity to run as far as they can. The call does not wait for a promise that waits for a resolver, for
  /// this or another clock, or for the network. The call does not wait for the callbacks of a ``ManualContext`` either,
  /// because the test runs those callbacks.
  ///
  /// Other tests in the same process may submit work all the time. Each wait therefore ends after at most 300 rounds. A
  /// round ends when all callbacks that were submitted before the round have ended.
  ///
  /// If a callback does not end within `bound`, the test fails.
  ///
  /// - Order: in the order of the deadlines. All work that a deadline has caused ends before the next deadline.
  /// - Parameters:
  ///   - duration: The time to advance by. With `.zero`, the call waits for submitted work, and ends the timers that
  ///     are due now. A negative duration fails the test.
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

  /// Advances the time until no timer or sleeping task is left that work may depend on. After each deadline, the call
  /// waits until all work that the deadline has caused has ended. A cache's timers for expired values do not advance
  /// the time, but end if the time passes their deadlines.
  ///
  /// If such a timer or task is left after `limit` deadlines, the test fails, because a timer is probably set again for
  /// ever.
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

  /// Waits until no submitted work is left. If a callback does not end in time, fails the test and returns `false`.
  ///
  /// A round waits for all work that was submitted before the round. If no work is submitted during a round, tasks may
  /// run. If these tasks submit no work either, the wait ends.
  func waitUntilIdle(within bound: Duration, _ place: TestFailure) async -> Bool {
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

  /// Waits until all tasks that were ready to run have begun. Adds a task of each priority and waits for these tasks,
  /// because tasks of one priority begin in order.
  private func waitForTasksToBegin() async {
    await withTaskGroup(of: Void.self) { group in
      for priority in [TaskPriority.high, .medium, .low, .background] { group.addTask(priority: priority) {} }
    }
  }

  func hasHappened(within bound: Duration, _ start: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
    let (end, resolver) = PromiseScope.outside { Promise<Void, Never>.makeForLibrary(at: .library) }
    start { resolver.fulfill(with: ()) }
    return await end.hasResolved(within: bound)
  }
}
