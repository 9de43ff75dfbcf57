public import Overmorrow

/// A clock that stands still until the test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let tea = Promise<String, Never>(on: .immediate, fulfilled: "tea", after: .seconds(240), clock: clock)
/// clock.advance(by: .seconds(239))
/// expectPending(tea)
/// clock.advance(by: .seconds(1))
/// expectFulfilled(tea)
/// ```
///
/// Delays, timeouts and whatever else of the library measures on it are registered when they are asked for, and end
/// inside the call that advances the clock: each at its own time, the earliest first, equal ones in the order in which
/// they were registered. When that call returns, all that was due has happened, or has been handed to its context.
///
/// Tasks may sleep on it as on any other clock; they are woken in the same order, and then run when the system lets
/// them. ``waitForSleepers(_:within:fileID:filePath:line:column:)`` waits until they sleep.
///
/// What has not ended when the last reference to the clock goes is dropped; promises that waited for it are cancelled.
/// **It may be used from any thread.**
public final class TestClock: PromiseSchedulingClock {
  /// A moment on a test's clock.
  public struct Instant: InstantProtocol {
    /// How long after the clock's start this is.
    public var offset: Duration

    /// A moment.
    ///
    /// - Parameter offset: How long after the clock's start it is.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The moment that is this much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How much later the other moment is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether the first moment is the earlier one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var heap = TimerHeap<Instant>()
    var watchers = Watchers()

    /// Promises that wait for a number of sleepers.
    mutating func takeWatchers() -> Watchers {
      let count = heap.count
      return watchers.take { $0 == count }
    }
  }

  private let state = Guarded(State())

  /// A clock at zero.
  public init() { HandOverCount.start() }

  deinit { HandOverCount.stop() }

  /// The clock's time.
  public var now: Instant { state.withLock { $0.now } }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// How many timers and sleeping tasks wait on this clock.
  public var sleeperCount: Int { state.withLock { $0.heap.count } }

  /// When the next timer ends or the next task wakes, if there is one.
  public var next: Instant? { state.withLock { $0.heap.first?.deadline } }

  // MARK: Waiting on it

  /// Runs an action when the clock has reached a deadline: inside this call if it has already, otherwise inside the
  /// call that advances the clock.
  ///
  /// - Parameters:
  ///   - deadline: When.
  ///   - action: Run once, unless it is cancelled or the clock goes.
  /// - Returns: Forgets the action.
  public func schedule(
    at deadline: Instant, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let entry = TimerEntry(deadline: deadline, action: action)
    let (isDue, reached) = state.withLock { state in
      if deadline <= state.now { return (true, Watchers()) }
      state.heap.insert(entry)
      return (false, state.takeWatchers())
    }
    reached.notify()
    if isDue { action() }
    // The clock alone keeps the action, as the action may keep this.
    return { [weak self, weak entry] in
      if let self, let entry { self.cancel(entry) }
    }
  }

  private func cancel(_ entry: TimerEntry<Instant>) {
    // Released after unlocking: the release of what an action captures may run any code.
    let (action, reached) = state.withLock { state in
      state.heap.remove(entry)
      return (entry.takeAction(), state.takeWatchers())
    }
    withExtendedLifetime(action) {}
    reached.notify()
  }

  /// Suspends the task until the clock has reached a deadline.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let (end, resolver) = PromiseScope.outside { Promise<Void, Never>.makeForLibrary() }
    let cancel = schedule(at: deadline) { resolver.fulfill(with: ()) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        end.tap(on: .immediate) { _ in continuation.resume() }
      }
    } onCancel: {
      cancel()
      resolver.cancel()
    }
    if end.result?.isCancelled == true { throw CancellationError() }
  }

  /// Waits until exactly so many timers and tasks wait on this clock; after the bound the test fails.
  ///
  /// For tasks, which fall asleep when the system lets them. The library's own timers are there at once.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - bound: How long to wait, in real time.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func waitForSleepers(
    _ count: Int, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let isReached = state.withLock { state in
      state.heap.count == count ? .alreadyThere : state.watchers.add(count)
    }
    if await isReached.hasResolved(within: bound) { return }
    TestFailure(fileID, filePath, line, column).record(
      "waited \(bound) in vain for \(count) sleepers on a test clock; there are \(sleeperCount)",
      PromiseDiagnostics.pending())
  }

  // MARK: Advancing it

  /// Advances the time, and ends what is due, also what is set meanwhile and due by then.
  ///
  /// In an async test, the form with `await` is called: ``advance(by:within:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - duration: How far. If it is negative, the test fails and nothing else happens.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    if duration < .zero {
      return TestFailure(fileID, filePath, line, column).record("a test clock cannot be advanced by \(duration)")
    }
    let end = now.advanced(by: duration.asWait)
    while fireNext(until: end) {}
    advance(to: end)
  }

  /// Advances the time. Nothing is due by then.
  func advance(to end: Instant) { state.withLock { $0.now = max($0.now, end) } }

  /// Advances the time to when the next timer ends or the next task wakes, and ends all that is due then.
  ///
  /// - Returns: Whether there was something to wait for.
  @discardableResult
  public func advanceToNext() -> Bool {
    guard let next else { return false }
    while fireNext(until: next) {}
    return true
  }

  /// Advances the time until nothing waits any more.
  ///
  /// If something still waits after `limit` of them, the test fails: then something probably sets a timer for ever.
  ///
  /// - Parameters:
  ///   - limit: How many timers and tasks to wait for at most.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func run(
    limit: Int = 1_000_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    var done = 0
    while done < limit, let next, fireNext(until: next) { done += 1 }
    if done == limit, sleeperCount > 0 {
      TestFailure(fileID, filePath, line, column).record("\(self) still has sleepers after \(done) of them")
    }
  }

  /// Ends what is due first, at its own time; `false` when nothing is due.
  private func fireNext(until end: Instant) -> Bool {
    let (action, reached) = state.withLock { state -> ((@Sendable () -> Void)?, Watchers) in
      guard let first = state.heap.first, first.deadline <= end else { return (nil, Watchers()) }
      state.heap.remove(first)
      state.now = max(state.now, first.deadline)
      return (first.takeAction(), state.takeWatchers())
    }
    reached.notify()
    action?()
    return action != nil
  }
}

extension TestClock: CustomStringConvertible {
  /// The clock's time, and how many timers and tasks wait on it.
  public var description: String { "TestClock(\(now.offset), \(sleeperCount) waiting)" }
}
