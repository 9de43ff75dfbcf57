internal import Dispatch
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
    let isOnQueue = System.isThreadOfQueue
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
    if resolved.wait(timeout: .now() + longest.forDispatch) == .success || core.outcome != nil { return true }
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

extension CoreRef {
  /// The largest number of cores that are visited along a chain.
  private static var longestChain: Int { 1000 }

  /// Returns the blocked place of a step or of a body without which the core cannot resolve. This is a step or the body
  /// of this core, or of a core that this core follows through steps and adoptions. Returns `nil` if there is no such
  /// place, or if there may be another way to resolve the core.
  ///
  /// The caller has the handle of the core or a count on the core.
  ///
  /// The words of the cores are read one after another, while other threads resolve cores. When a place is found, the
  /// cores of the way are read again, in the order of the way. If each of them still waits, none of them had left its
  /// source, so all of them waited at one time. A core loses its inputs only after its result was published.
  ///
  /// - Parameter isBlocked: Whether a place is blocked. The place is only compared with others.
  func neededPlace(where isBlocked: (Place) -> Bool) -> Place? {
    var kept = OwnedCores()
    var way: [CoreRef] = []
    var core = self
    for _ in 0..<Self.longestChain {
      guard core.isWaiting else { return nil }
      way.append(core)
      // The place is read last, because a step without a source has its place only while the step waits to run there.
      let (sources, place) = (kept.keep(core.upstream()), core.place)
      if core.needsPlace(waitingFor: sources.first), isBlocked(place) {
        return way.allSatisfy(\.isWaiting) ? place : nil
      }
      // A timeout or another input may resolve the core.
      guard !core.traits.contains(.resolvesBeforeSource), core.inputs == nil, let source = sources.first else {
        return nil
      }
      core = source
    }
    return nil
  }

  /// Whether no thread resolves this core at the moment: the core is a step whose callback has not begun, adopts, or
  /// has a body that has not begun.
  ///
  /// If a thread has the right to resolve a core, the result may be published at any time.
  var isWaiting: Bool {
    switch state.phase {
    case .pending, .adopting: true
    case .claimed: traits.contains(.hasResolver) && place != .immediate
    default: false
    }
  }

  /// Returns whether the step or the body of this core has to run on the place of the core.
  ///
  /// A step without a source was handed over to its place. Any other step needs its place if its callback is for the
  /// result of its source. If the callback is for all results, this is known before there is a result.
  func needsPlace(waitingFor source: CoreRef?) -> Bool {
    source.map { traits.contains(.onAnything) || traits.wantsOutcome(of: $0.state) } ?? true
  }
}

extension Duration {
  /// This duration, at most an hour, in the form that Dispatch takes. A longer wait blocks again after an hour.
  fileprivate var forDispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(3600))).components
    return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
