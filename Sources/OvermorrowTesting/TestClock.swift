public import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

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
/// Delays, timeouts and other timers of the library on this clock are registered by the call that starts them. These
/// timers end inside the call that advances the clock, each at its own time. The earliest timer ends first, and timers
/// with equal times end in the order of registration. When the advancing call returns, everything that was due has
/// happened or has been submitted to its context.
///
/// Tasks may sleep on this clock as on any other clock. Sleeping tasks are woken in the same order as timers, and run
/// when the system schedules them. ``waitForSleepers(_:within:fileID:filePath:line:column:)`` waits until tasks sleep.
///
/// When the last reference to the clock is released, its timers are dropped. The promises of delays are then cancelled,
/// and timeouts no longer limit their promises. However, if the context of a timeout is an operation queue, the promise
/// of the timeout is cancelled. **A clock may be used from any thread.**
public final class TestClock: PromiseSchedulingClock {
  /// An instant of a test clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// Creates an instant.
    ///
    /// - Parameter offset: The time since the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the instant after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this instant to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether the first instant is earlier than the second instant.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    private(set) var heap = TimerHeap<Instant>()
    /// The number of timers and sleeping tasks that work may depend on.
    private(set) var needed = 0
    var watchers = Watchers()
    /// The watchers of the next timer or sleeping task that work may depend on.
    var changes = Watchers()

    mutating func insert(_ entry: TimerEntry<Instant>) {
      heap.insert(entry)
      if !entry.isHousekeeping { needed += 1 }
    }

    mutating func remove(_ entry: TimerEntry<Instant>) {
      if entry.index != nil, !entry.isHousekeeping { needed -= 1 }
      heap.remove(entry)
    }

    /// Removes and returns the watchers that wait for the present number of sleepers.
    mutating func takeWatchers() -> Watchers {
      let count = heap.count
      return watchers.take { $0 == count }
    }
  }

  private let state = Guarded(State())

  /// Creates a clock at time zero.
  public init() { HandOverCount.start() }

  deinit { HandOverCount.stop() }

  /// The clock's time.
  public var now: Instant { state.withLock { $0.now } }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The number of timers and sleeping tasks that wait on this clock.
  public var sleeperCount: Int { state.withLock { $0.heap.count } }

  /// The time of the next timer or sleeping task, if there is one.
  public var next: Instant? { state.withLock { $0.heap.first?.deadline } }

  /// Whether a timer or sleeping task is left that work may depend on.
  var isNeeded: Bool { state.withLock { $0.needed > 0 } }

  /// A promise that is fulfilled as soon as a timer or sleeping task is left that work may depend on, or by
  /// `noteChange()`.
  var nextChange: Promise<Void, Never> {
    state.withLock { $0.needed > 0 ? .alreadyReached : $0.changes.add(0) }
  }

  func noteChange() { state.withLock { $0.changes.takeAll() }.notify() }

  // MARK: Waiting on it

  /// Runs an action when the clock reaches a deadline. If the clock has already reached the deadline, the action runs
  /// inside this call. If not, the action runs inside the call that advances the clock to the deadline.
  ///
  /// - Parameters:
  ///   - deadline: The time at which the action runs.
  ///   - action: The action. It runs once, or never if it is cancelled or the clock is released first.
  /// - Returns: A function that cancels the action.
  public func schedule(
    at deadline: Instant, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    schedule(TimerEntry(deadline: deadline, action: action), action)
  }

  fileprivate func schedule(
    _ entry: TimerEntry<Instant>, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let (isDue, reached, changes) = state.withLock { state in
      if entry.deadline <= state.now { return (true, Watchers(), Watchers()) }
      state.insert(entry)
      return (false, state.takeWatchers(), entry.isHousekeeping ? Watchers() : state.changes.takeAll())
    }
    reached.notify()
    changes.notify()
    if isDue { action() }
    // The returned function does not retain the action, because the action may retain the returned function.
    return { [weak self, weak entry] in
      if let self, let entry { self.cancel(entry) }
    }
  }

  private func cancel(_ entry: TimerEntry<Instant>) {
    // The action is released after unlocking, because releasing its captures may run any code.
    let (action, reached) = state.withLock { state in
      state.remove(entry)
      return (entry.takeAction(), state.takeWatchers())
    }
    withExtendedLifetime(action) {}
    reached.notify()
  }

  /// Suspends the task until the clock reaches a deadline.
  ///
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let (end, resolver) = PromiseScope.outside { Promise<Void, Never>.makeForLibrary(at: .library) }
    let cancel = schedule(at: deadline) { resolver.fulfill(with: ()) }
    let pending = TaskCall.begin("TestClock.sleep", at: .library, waitingFor: "the time of a test clock")
    defer { pending?.end() }
    pending?.cause = "a test clock to reach \(deadline.offset)"
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

  /// Waits until exactly `count` timers and tasks wait on this clock. If the number is still different when the bound
  /// is reached, the test fails.
  ///
  /// Use this method for tasks, because a task begins to sleep only after the system has scheduled the task. The
  /// library's own timers need no such wait, because they are registered at once.
  ///
  /// - Parameters:
  ///   - count: The number of timers and tasks.
  ///   - bound: The longest time to wait, in real time.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func waitForSleepers(
    _ count: Int, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let isReached = state.withLock { state in
      state.heap.count == count ? .alreadyReached : state.watchers.add(count)
    }
    if await isReached.hasResolved(within: bound) { return }
    TestFailure(fileID, filePath, line, column).record(
      "after \(bound), a test clock has \(sleeperCount) timers and sleeping tasks instead of \(count)",
      PromiseDiagnostics.pending())
  }

  // MARK: Advancing it

  /// Advances the time and ends the timers that are due, including timers that are set during this call and are due by
  /// the new time.
  ///
  /// In an async test, a call with `await` uses the other form: ``advance(by:within:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - duration: The time to advance by. A negative duration fails the test and has no other effect.
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

  /// Advances the time to an instant up to which no timer is due.
  func advance(to end: Instant) { state.withLock { $0.now = max($0.now, end) } }

  /// Advances the time to the next timer or sleeping task, and ends all timers and sleeping tasks that are due then.
  ///
  /// - Returns: `true` if there was a timer or a sleeping task.
  @discardableResult
  public func advanceToNext() -> Bool {
    guard let next else { return false }
    while fireNext(until: next) {}
    return true
  }

  /// Advances the time until no timer or sleeping task is left that work may depend on. A cache's timers for expired
  /// values do not advance the time, but end if the time passes their deadlines.
  ///
  /// If such a timer or task is left after `limit` timers and tasks have ended, the test fails, because a timer is
  /// probably set again for ever.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of timers and tasks to end.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  public func run(
    limit: Int = 1_000_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    var done = 0
    while done < limit, isNeeded, let next, fireNext(until: next) { done += 1 }
    if done == limit, isNeeded {
      TestFailure(fileID, filePath, line, column).record(
        "\(self) still has timers or sleeping tasks after \(done) of them")
    }
  }

  /// Ends the first timer that is due, at its own time. Returns `false` if no timer is due.
  private func fireNext(until end: Instant) -> Bool {
    let (action, reached) = state.withLock { state -> ((@Sendable () -> Void)?, Watchers) in
      guard let first = state.heap.first, first.deadline <= end else { return (nil, Watchers()) }
      state.remove(first)
      state.now = max(state.now, first.deadline)
      return (first.takeAction(), state.takeWatchers())
    }
    reached.notify()
    action?()
    return action != nil
  }
}

extension TestClock: CustomStringConvertible {
  /// The time, and the number of timers and tasks that wait on the clock.
  public var description: String { "TestClock(\(now.offset), \(sleeperCount) waiting)" }
}

extension TestClock: PromiseHousekeepingClock {
  /// Schedules an action for which `run()` does not advance the time.
  package func scheduleHousekeeping(
    at deadline: Instant, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    schedule(TimerEntry(deadline: deadline, isHousekeeping: true, action: action), action)
  }
}
