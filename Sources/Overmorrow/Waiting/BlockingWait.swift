internal import Dispatch

/// One thread that is blocked until a promise resolves.
struct BlockingWait {
  private let core: CoreRef
  private let resolved: DispatchSemaphore
  private let deadline: ContinuousClock.Instant?
  /// Used to find deadlocks; `nil` for a wait with a deadline, or on a thread that occupies nothing.
  private let occupied: OccupiedPlaces?

  /// How long a wait may block before a spare thread takes over and the wait looks for a deadlock again.
  private static var gracePeriod: Duration { .milliseconds(10) }
  /// How often the wait looks for a deadlock.
  private static var interval: Duration { .milliseconds(100) }
  /// How long a queue may make no progress before it counts as stuck.
  private static var stuckAfter: Duration { .milliseconds(300) }

  /// - Parameters:
  ///   - core: The core to wait for. The caller keeps its handle during the wait.
  ///   - resolved: A semaphore that is signalled when the core has resolved.
  ///   - deadline: The time at which the wait gives up; `nil` for never.
  init(for core: CoreRef, resolved: DispatchSemaphore, until deadline: ContinuousClock.Instant?) {
    self.core = core
    self.resolved = resolved
    self.deadline = deadline
    let occupied = OccupiedPlaces()
    self.occupied = deadline != nil || occupied.isEmpty ? nil : occupied
  }

  /// Blocks until the promise has resolved.
  ///
  /// - Throws: `.timedOut`, or `.deadlock` if one is found.
  func run() throws(PromiseWaitError) {
    var probe: QueueProbe?
    try check(&probe)
    RequestLoop.threadWillBlock()
    if !SpareThreads.isAnyBlocked, try pause(for: Self.gracePeriod) { return }
    SpareThreads.threadWillBlock()
    defer { SpareThreads.threadDidUnblock() }
    repeat { try check(&probe) } while try !pause(for: occupied == nil ? nil : Self.interval)
  }

  /// Blocks for a while.
  ///
  /// - Returns: Whether the promise has resolved.
  private func pause(for duration: Duration?) throws(PromiseWaitError) -> Bool {
    guard let longest = [duration, deadline.map { $0 - .now }].compactMap({ $0 }).min() else {
      resolved.wait()
      return true
    }
    if resolved.wait(timeout: .now() + longest.forDispatch) == .success || core.outcome != nil { return true }
    if let deadline, deadline <= ContinuousClock.now { throw .timedOut }
    return false
  }

  /// Finds out whether the wait can never end.
  private func check(_ probe: inout QueueProbe?) throws(PromiseWaitError) {
    switch occupied?.obstacle(to: core) {
    case nil: probe = nil
    case .main, .turn: throw .deadlock
    case .queue(let place):
      let current = probe ?? QueueProbe(place.queue)
      probe = current
      if current.isStuck(after: Self.stuckAfter) { throw .deadlock }
    }
  }
}

extension Duration {
  /// This duration as Dispatch takes it, at most an hour. A longer wait blocks again after that.
  fileprivate var forDispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(3600))).components
    return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
