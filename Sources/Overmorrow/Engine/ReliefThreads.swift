#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Threads that run the library's work while others are blocked in waits.
///
/// A pool has a limited number of threads, and gets a new one late, if at all, when all are blocked; then the very work that
/// they wait for does not run. So, while a thread has been blocked for a moment, there is one thread beyond the pool that
/// runs what waits in the lanes. If that blocks in a wait, too, another one takes its place. It ends when the lanes are
/// empty, or nobody is blocked any more.
///
/// Nothing is run on the stack of a thread that waits: what runs there could wait for that thread.
enum ReliefThreads {
  /// How many threads have been blocked for a moment.
  static let blocked = Atomic(0)
  /// How many of these threads run, and are not blocked themselves.
  private static let running = Guarded(0)

  /// Whether waits are blocked, so that one more of them need not be patient.
  static var areNeeded: Bool { blocked.load(ordering: .relaxed) > 0 }

  /// A thread goes on being blocked: the calling one in a wait, or another one in a call that takes too long.
  static func threadBlocks(isRelief: Bool = isCurrent) {
    if isRelief { running.withLock { $0 -= 1 } }
    blocked.add(1, ordering: .sequentiallyConsistent)
    // Either this look at the lanes sees the work, or who puts it there sees the count: all four are in one total order.
    if Lane.isAnyWaiting { relieve() }
  }

  /// The calling thread is not blocked any more.
  static func threadGoesOn(isRelief: Bool = isCurrent) {
    blocked.subtract(1, ordering: .sequentiallyConsistent)
    if isRelief { running.withLock { $0 += 1 } }
  }

  /// Work has been put into a lane.
  static func workHasCome() {
    if isAnyBlocked { relieve() }
  }

  /// The same as ``areNeeded``, in the one order in which all threads see work come into slots and threads be blocked.
  static var isAnyBlocked: Bool { blocked.load(ordering: .sequentiallyConsistent) > 0 }

  /// Ensures that one of these threads runs.
  private static func relieve() {
    let isFirst = running.withLock { running in
      // Less than none: one that waits in a call that takes too long is blocked twice.
      if running > 0 { return false }
      running += 1
      return true
    }
    guard isFirst, !start() else { return }
    running.withLock { $0 -= 1 }
    tryAgainLater()
  }

  /// How long the system is given to get a thread free.
  private static var pause: Duration { .milliseconds(50) }
  /// Whether the system is being given that time.
  private static let isPausing = Atomic(false)

  /// The system had no thread left. Those who wait may be all there is, so that nothing else comes to try again.
  private static func tryAgainLater() {
    if isPausing.exchange(true, ordering: .acquiringAndReleasing) { return }
    _ = TimerQueue.shared.schedule(at: .now.advanced(by: pause)) {
      isPausing.store(false, ordering: .releasing)
      // As in `threadBlocks`: whoever has put work into a lane since then has tried by itself, or sees that a try is due.
      if areNeeded, Lane.isAnyWaiting { relieve() }
    }
  }

  private static func help() {
    unsafe ThreadLocal.current.pointee.isRelief = true
    while areNeeded, Lane.runAny() {}
    running.withLock { $0 -= 1 }
    // Somebody may have seen this thread when it was about to end.
    if areNeeded, Lane.isAnyWaiting { relieve() }
  }

  /// Whether the calling thread is one of these.
  static var isCurrent: Bool { unsafe ThreadLocal.current.pointee.isRelief }

  /// How many of the next starts are to fail: for tests.
  static let startsToFail = Atomic(0)

  /// Starts a thread; `false` if the system has none left.
  private static func start() -> Bool {
    if startsToFail.load(ordering: .relaxed) > 0 {
      startsToFail.subtract(1, ordering: .relaxed)
      return false
    }
    // Unsafe: the thread is of this frame, and the function that it runs needs no argument.
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = unsafe pthread_create(
      &thread, nil,
      { _ in
        ReliefThreads.help()
        return nil
      }, nil)
    guard status == 0 else { return false }
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }
}
