import Dispatch
import Overmorrow

/// A clock whose timers end before `schedule` returns, and which then waits for the work that they have submitted to a
/// queue, unless the caller runs on that queue.
struct OvertakingClock: PromiseSchedulingClock {
  private let clock: TestClock
  private let queue: MarkedQueue

  init(_ clock: TestClock, _ queue: MarkedQueue) { (self.clock, self.queue) = (clock, queue) }

  var now: TestClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func schedule(at deadline: TestClock.Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    action()
    if !queue.isCurrent { queue.queue.sync {} }
    return {}
  }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {}
}
