internal import Overmorrow
internal import OvermorrowEngine

extension TestClock {
  /// Runs an async closure, and advances the time from deadline to deadline until the closure has ended.
  ///
  /// ```swift
  /// let page = try await clock.run {
  ///   try await withTimeout(.seconds(5), clock: clock) { try await service.page() }
  /// }
  /// ```
  ///
  /// The closure runs in its own task. The time moves only when the closure is at rest: no code of its task, of its
  /// child tasks, or of an actor that they use is running or ready to run. So a busy machine cannot make a time limit
  /// end before an earlier delay has begun. The call ends at the deadline that ends the closure, and later timers stay.
  ///
  /// The main actor, callbacks of promises, and async closures that the library runs in tasks of their own, such as
  /// those of promises and the loads of caches, are waited for as in
  /// ``advance(by:within:fileID:filePath:line:column:)``. Other code counts as at rest: tasks that the closure creates
  /// with `Task.init`, tasks and actors with an executor of their own, other threads and the network. If such code
  /// begins to wait for this clock after the time has moved, its delay is counted from the new time. The call advances
  /// the time to that deadline, too, so no wait is lost. Before macOS 15, iOS 18, tvOS 18, watchOS 11 and visionOS 2,
  /// all tasks are such code.
  ///
  /// If the closure is at rest and nothing waits for the clock, the call waits for the closure, or for a wait for the
  /// clock, at most `bound` in real time. After that, or after `limit` deadlines, the test fails, the closure is asked
  /// to cancel, and the call throws `CancellationError` without waiting for the closure. If the task of the caller is
  /// cancelled, the closure is asked to cancel.
  ///
  /// - Order: in the order of the deadlines. All work that a deadline has caused ends before the next deadline.
  /// - Parameters:
  ///   - limit: The maximum number of deadlines.
  ///   - bound: The longest time, in real time, until the closure comes to rest, and the longest time for which it is
  ///     at rest without a deadline.
  ///   - fileID: The test's file.
  ///   - filePath: The test's file.
  ///   - line: The test's line.
  ///   - column: The test's column.
  ///   - operation: The async closure. It is isolated to the actor of the surrounding code.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure.
  @discardableResult
  public func run<R: Sendable>(
    limit: Int = 10_000, within bound: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    @_inheritActorContext until operation: sending @escaping () async throws -> R
  ) async throws -> R {
    let outcome = Guarded<Result<R, any Error>?>(nil)
    // The task may outlive the call, but does not have to retain the clock for it.
    let end: @Sendable (Result<R, any Error>) -> Void = { [weak self] result in
      outcome.withLock { $0 = result }
      self?.noteChange()
    }
    let task: Task<Void, Never>
    let jobs: any Resting
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      let executor = CountedExecutor()
      task = Task(executorPreference: executor) {
        do { end(.success(try await operation())) } catch { end(.failure(error)) }
      }
      jobs = executor
    } else {
      task = Task {
        do { end(.success(try await operation())) } catch { end(.failure(error)) }
      }
      jobs = NothingCounted()
    }
    let place = TestFailure(fileID, filePath, line, column)
    return try await withTaskCancellationHandler {
      var left = limit
      while await waitUntilIdle(jobs, within: bound, place) {
        if let result = outcome.withLock({ $0 }) { return try result.get() }
        if isNeeded, left > 0 {
          left -= 1
          advanceToNext()
        } else if isNeeded {
          place.record("the closure has not ended after \(limit) deadlines", PromiseDiagnostics.pending())
          break
        } else {
          let change = nextChange
          guard outcome.withLock({ $0 == nil }) else { continue }
          if await change.hasResolved(within: bound) { continue }
          place.record(
            "after \(bound), the closure has not ended and nothing waits for \(self)", PromiseDiagnostics.pending())
          break
        }
      }
      task.cancel()
      throw CancellationError()
    } onCancel: {
      task.cancel()
    }
  }

  /// Waits until neither a job nor submitted work is left. If this does not happen in time, fails the test and returns
  /// `false`.
  private func waitUntilIdle(_ jobs: any Resting, within bound: Duration, _ place: TestFailure) async -> Bool {
    let latest = ContinuousClock.now.advanced(by: bound.asWait)
    while ContinuousClock.now < latest {
      let begun = jobs.begun
      guard await hasHappened(within: bound, { jobs.whenIdle($0) }) else { break }
      guard await waitUntilIdle(within: bound, place) else { return false }
      // All jobs had ended after `begun` was read, and none has begun since.
      if jobs.begun == begun { return true }
    }
    place.record("the closure has not come to rest within \(bound)", PromiseDiagnostics.pending())
    return false
  }
}

/// What counts the jobs of tasks.
private protocol Resting: Sendable {
  var begun: Int { get }
  func whenIdle(_ action: @escaping @Sendable () -> Void)
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension CountedExecutor: Resting {}

private struct NothingCounted: Resting {
  var begun: Int { 0 }
  func whenIdle(_ action: @escaping @Sendable () -> Void) { action() }
}
