internal import COvermorrowSystem
internal import Dispatch

/// Threads that run the library's work while others are blocked in waits.
///
/// A pool has a limited number of threads, and gets a new one late, if at all, when all are blocked; then the very work that
/// they wait for does not run. So, while a thread has been blocked for a moment, there is one thread beyond the pool that
/// runs what waits in the lanes. If that blocks in a wait, too, another one takes its place. It ends when the lanes are
/// empty, or nobody is blocked any more.
///
/// Nothing is run on the stack of a thread that waits: what runs there could wait for that thread.
enum SpareThreads {
  /// How many threads have been blocked for a moment.
  static let blocked = Atomic(0)
  /// How many of these threads run, or are to be started, and are not blocked themselves.
  private static let running = Guarded(0)
  /// Set on these threads.
  private static let key = ThreadKey()

  /// Whether waits are blocked; in the one order in which all threads see work come into slots and threads be blocked.
  static var isAnyBlocked: Bool { blocked.load(ordering: .sequentiallyConsistent) > 0 }

  /// How many threads are blocked, as far as this thread knows.
  static var numberBlocked: Int { blocked.load(ordering: .relaxed) }

  /// A thread goes on being blocked: the calling one in a wait, or another one in a call that takes too long.
  static func threadWillBlock(isSpare: Bool = isCurrent) {
    if isSpare { running.withLock { $0 -= 1 } }
    blocked.add(1, ordering: .sequentiallyConsistent)
    // Either this look at the lanes sees the work, or who puts it there sees the count: all four are in one total order.
    startIfNeeded()
  }

  /// The calling thread is not blocked any more.
  static func threadDidUnblock(isSpare: Bool = isCurrent) {
    blocked.subtract(1, ordering: .sequentiallyConsistent)
    if isSpare { running.withLock { $0 += 1 } }
  }

  /// Work has been put into a lane.
  static func workWasEnqueued() {
    if isAnyBlocked { ensureOneRuns() }
  }

  private static var isNeeded: Bool { isAnyBlocked && Lane.isAnyWaiting }

  private static func startIfNeeded() {
    if isNeeded { ensureOneRuns() }
  }

  /// Ensures that one of these threads runs.
  private static func ensureOneRuns() {
    let isFirst = running.withLock { running in
      // Less than none: one that waits in a call that takes too long is blocked twice.
      if running > 0 { return false }
      running += 1
      return true
    }
    if isFirst { begin() }
  }

  /// Starts a thread, which counts as running already.
  ///
  /// If the system has none left, tries again later: those who wait may be all there is, so that nothing else comes to try.
  private static func begin() {
    if start() { return }
    retries.asyncAfter(deadline: .now() + .milliseconds(50)) { if isNeeded { begin() } else { end() } }
  }

  /// A serial queue has a thread also when the pool is used up.
  private static let retries = DispatchQueue(label: "Overmorrow.SpareThreads")

  private static func runLanes() {
    // Unsafe: nobody follows the pointer.
    unsafe key.set(UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped) { _ in }
    while isAnyBlocked, Lane.runAny() {}
    end()
  }

  private static func end() {
    running.withLock { $0 -= 1 }
    // Somebody may have seen this thread when it was about to end.
    startIfNeeded()
  }

  /// Whether the calling thread is one of these.
  static var isCurrent: Bool { unsafe key.value != nil }

  /// How many of the next starts are to fail: for tests.
  static let startsToFail = Atomic(0)

  /// Starts a thread; `false` if the system has none left.
  private static func start() -> Bool {
    if startsToFail.load(ordering: .relaxed) > 0 {
      startsToFail.subtract(1, ordering: .relaxed)
      return false
    }
    // Unsafe: the function needs no argument.
    return unsafe overmorrow_start_thread { _ in
      SpareThreads.runLanes()
      return nil
    }
  }
}
