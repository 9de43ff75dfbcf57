internal import Dispatch
internal import Overmorrow

// The forms of `advance` and `run` for async tests. They are preferred wherever `await` can be written.

extension TestClock {
  /// Advances the time, and lets everything come to rest: before the time moves, and after each deadline.
  ///
  /// So a model on the main actor, with a debounce, a timeout or a retry on this clock, has done all that it does until
  /// then:
  ///
  /// ```swift
  /// model.query = "swift"
  /// await clock.advance(by: .milliseconds(300))
  /// #expect(model.results == ["Swift 6"])
  /// ```
  ///
  /// At rest, the callbacks of promises that were on their way to the main queue, to other queues and to actors have
  /// run, and those that followed from them; tasks have had the opportunity to run as far as they get. What waits for a
  /// resolver, for this clock, for another one or for the network is at rest. A ``ManualContext`` is, too, as the test
  /// runs it.
  ///
  /// Other tests in the same process may hand work over all the time. Then it waits for what is caused by a hundred
  /// callbacks one after another, and no further.
  ///
  /// If a callback does not end within `bound`, the test fails.
  ///
  /// - Order: what is due first happens first, and everything rests before what is due next happens.
  /// - Parameters:
  ///   - duration: How far. With `.zero`, things come to rest and what is due by now happens. If it is negative, the
  ///     test fails.
  ///   - bound: How long to wait for callbacks that run, in real time.
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
    guard await rest(within: bound, place) else { return }
    while let next, next <= end {
      advanceToNext()
      guard await rest(within: bound, place) else { return }
    }
    advance(to: end)
  }

  /// Advances the time until nothing waits any more, and lets everything come to rest after each deadline.
  ///
  /// If something still waits after `limit` deadlines, the test fails: then something probably sets a timer for ever.
  ///
  /// - Order: as that of ``advance(by:within:fileID:filePath:line:column:)``.
  /// - Parameters:
  ///   - limit: How many deadlines to wait for at most.
  ///   - bound: How long to wait for callbacks that run, in real time.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func run(
    limit: Int = 10_000, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestFailure(fileID, filePath, line, column)
    guard await rest(within: bound, place) else { return }
    for _ in 0..<limit {
      if !advanceToNext() { return }
      guard await rest(within: bound, place) else { return }
    }
    if sleeperCount > 0 { place.record("\(self) still has sleepers after \(limit) deadlines") }
  }

  /// Waits until nothing is on its way; `false` when the test has failed.
  ///
  /// A round waits for all that has been handed over by then. When nothing is handed over in a round, tasks may run;
  /// when nothing is handed over by them, everything rests.
  private func rest(within bound: Duration, _ place: TestFailure) async -> Bool {
    for _ in 0..<3 {
      var begun = 0
      for _ in 0..<100 {
        begun = HandOverCount.begun
        let isOver = await hasHappened(within: bound) { HandOverCount.whenEnded($0) }
        guard isOver else {
          place.record(
            "waited \(bound) in vain for \(HandOverCount.unended) callbacks to end", PromiseDiagnostics.pending())
          return false
        }
        if HandOverCount.begun == begun { break }
      }
      for _ in 0..<10 {
        guard await hasHappened(within: bound, { DispatchQueue.main.async(execute: $0) }) else {
          place.record("waited \(bound) in vain for a turn of the main queue", PromiseDiagnostics.pending())
          return false
        }
        await letTasksBegin()
      }
      if HandOverCount.begun == begun { break }
    }
    return true
  }

  /// Returns when all tasks that were ready to run have begun to: tasks of one priority begin in order.
  private func letTasksBegin() async {
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
