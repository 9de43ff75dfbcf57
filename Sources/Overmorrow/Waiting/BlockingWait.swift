internal import Dispatch
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// A wait that blocks one thread until a promise resolves.
///
/// If the thread runs the work of a queue, the wait looks for a deadlock when it begins, and then once in each
/// interval. At the end of the first interval, the wait is reported.
struct BlockingWait {
  /// The core to wait for. The caller retains the handle of the core during the wait.
  let core: CoreRef
  /// A semaphore that is signalled when the core has resolved.
  let resolved: DispatchSemaphore
  /// The time at which the wait gives up; `nil` for never.
  let deadline: ContinuousClock.Instant?
  let interval: Duration

  /// The interval of all waits except those of some tests.
  static var interval: Duration { .seconds(1) }

  /// Blocks until the semaphore is signalled or the promise has resolved.
  ///
  /// - Throws: `.timedOut` if the deadline has passed, or `.deadlock` if a deadlock is found.
  func run() throws(PromiseWaitError) {
    let isOnQueue = CurrentThread.isOfQueue
    var isFirst = true
    let blocked = deadline == nil ? BlockedWait.begin(for: core) : nil
    let watched = StallWatch.beginWait()
    defer {
      watched?.end()
      blocked?.end()
    }
    while true {
      if isOnQueue, deadline == nil, blocksItself { throw .deadlock(details: core.waitDetails) }
      blocked?.look()
      if try block(for: isOnQueue ? interval : nil) { return }
      if isOnQueue, isFirst, blocked?.isReported == true || report() { watched?.noteReported() }
      isFirst = false
    }
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
    if resolved.wait(timeout: .now() + longest.dispatchInterval()) == .success || core.outcome != nil { return true }
    if let deadline, deadline <= ContinuousClock.now { throw .timedOut }
    return false
  }

  /// Whether the promise needs a step or a body on the main queue or on a serial queue, and the wait blocks this queue.
  /// A queue that is not known to be serial counts as concurrent.
  private var blocksItself: Bool {
    core.neededPlace { place in
      // If a pass of this thread runs on the queue, the pass retains the queue.
      place.isOnMain ? MainQueue.isCurrent : place.isQueue && Pass.isRunning(on: place) && place.queue.isKnownSerial
    } != nil
  }

  /// Reports the wait if the promise is watched. Returns whether the wait was reported.
  private func report() -> Bool {
    guard let cause = core.waitCause else { return false }
    Diagnostics.report(.longWait(origin: core.origin, waitsFor: cause))
    return true
  }
}
