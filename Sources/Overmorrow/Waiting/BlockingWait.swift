internal import Dispatch

/// A wait that blocks one thread until a promise resolves.
struct BlockingWait {
  private let core: CoreRef
  private let resolved: DispatchSemaphore
  private let deadline: ContinuousClock.Instant?
  /// The places that the thread occupies, for the search for deadlocks; `nil` if the wait has a deadline or the thread
  /// occupies nothing.
  private let occupied: OccupiedPlaces?

  /// The time that a wait blocks before its thread counts as blocked, so that a spare thread can run. If another thread
  /// already counts as blocked, the waiting thread counts as blocked at once.
  private static var gracePeriod: Duration { .milliseconds(10) }
  /// The time between two searches for a deadlock.
  private static var interval: Duration { .milliseconds(100) }
  /// The time without progress after which a queue counts as stuck.
  private static var stuckAfter: Duration { .milliseconds(300) }

  /// - Parameters:
  ///   - core: The core to wait for. The caller retains the handle of the core during the wait.
  ///   - resolved: A semaphore that is signalled when the core has resolved, or when work arrives that a wait on the
  ///     main queue has to run.
  ///   - deadline: The time at which the wait gives up; `nil` for never.
  init(for core: CoreRef, resolved: DispatchSemaphore, until deadline: ContinuousClock.Instant?) {
    self.core = core
    self.resolved = resolved
    self.deadline = deadline
    let occupied = OccupiedPlaces()
    self.occupied = deadline != nil || occupied.isEmpty ? nil : occupied
  }

  /// Blocks until the semaphore is signalled or the promise has resolved.
  ///
  /// - Throws: `.timedOut` if the deadline has passed, or `.deadlock` if a deadlock is found.
  func run() throws(PromiseWaitError) {
    var probe: QueueProbe?
    try check(&probe)
    RequestLoop.threadWillBlock()
    if !SpareThreads.isAnyBlocked, try block(for: Self.gracePeriod) { return }
    SpareThreads.threadWillBlock()
    defer { SpareThreads.threadDidUnblock() }
    repeat { try check(&probe) } while try !block(for: occupied == nil ? nil : Self.interval)
  }

  /// Blocks until the semaphore is signalled, but not longer than this duration and not beyond the deadline. If the
  /// duration is `nil`, only the deadline limits the wait.
  ///
  /// - Returns: Whether the semaphore was signalled or the promise has resolved.
  private func block(for duration: Duration?) throws(PromiseWaitError) -> Bool {
    guard let longest = [duration, deadline.map { $0 - .now }].compactMap({ $0 }).min() else {
      resolved.wait()
      return true
    }
    if resolved.wait(timeout: .now() + longest.forDispatch) == .success || core.outcome != nil { return true }
    if let deadline, deadline <= ContinuousClock.now { throw .timedOut }
    return false
  }

  /// Throws `.deadlock` if a deadlock is found.
  private func check(_ probe: inout QueueProbe?) throws(PromiseWaitError) {
    switch occupied?.obstacle(to: core) {
    case nil: probe = nil
    case .main, .turn: throw .deadlock(details: core.waitDetails)
    case .queue(let place):
      let current = probe ?? QueueProbe(place.queue)
      probe = current
      if current.isStuck(after: Self.stuckAfter) { throw .deadlock(details: core.waitDetails) }
    }
  }
}

extension Duration {
  /// This duration, at most an hour, in the form that Dispatch takes. A longer wait blocks again after an hour.
  fileprivate var forDispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(3600))).components
    return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
