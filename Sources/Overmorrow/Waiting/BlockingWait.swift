internal import Dispatch

/// One thread that is blocked until a promise resolves.
struct BlockingWait {
  private let core: CoreRef
  private let resolved: DispatchSemaphore
  private let deadline: ContinuousClock.Instant?
  /// Used to find deadlocks; `nil` for a wait that ends in any case.
  private let occupied: OccupiedPlaces?

  /// How long a wait may take before it gets a spare thread and looks for a deadlock.
  private static var gracePeriod: Duration { .milliseconds(10) }
  /// How often the wait looks for a deadlock.
  private static var interval: Duration { .milliseconds(100) }
  /// How long a queue may make no progress before it counts as stuck.
  private static var stuckAfter: Duration { .milliseconds(300) }

  /// - Parameters:
  ///   - core: What the thread waits for; its handle is kept during the wait.
  ///   - resolved: Signalled when it has resolved.
  ///   - deadline: When to give up; `nil` for never.
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
  /// As Dispatch takes it; at most an hour, after which the wait continues.
  fileprivate var forDispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(3600))).components
    return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
