internal import COvermorrowSystem
internal import Dispatch

/// Threads that run the library's work while others are blocked in waits.
///
/// A pool has a limited number of threads. When all of them are blocked, it gets a new thread late or not at all, and
/// the work that they wait for does not run. So while a thread has been blocked for some time, one thread beyond the
/// pool runs the work that waits in the lanes. If that thread blocks in a wait, another one takes its place. A spare
/// thread ends when the lanes are empty, or when no other thread is blocked.
///
/// No work runs on the stack of a waiting thread, because that work could wait for the thread.
enum SpareThreads {
  /// The number of threads that have been blocked for some time.
  static let blocked = Atomic(0)
  /// The number of spare threads that run, or are about to start, and are not blocked themselves.
  private static let running = Guarded(0)
  /// The key of a pointer that only spare threads have.
  private static let key = ThreadKey()

  /// Whether a thread is blocked. Read in the total order of all changes of slots and of this count.
  static var isAnyBlocked: Bool { blocked.load(ordering: .sequentiallyConsistent) > 0 }

  /// The number of blocked threads, as far as this thread sees it.
  static var numberBlocked: Int { blocked.load(ordering: .relaxed) }

  /// Counts a thread as blocked: the calling one in a wait, or another one in a call that takes too long.
  static func threadWillBlock(isSpare: Bool = isCurrent) {
    if isSpare { running.withLock { $0 -= 1 } }
    blocked.add(1, ordering: .sequentiallyConsistent)
    // Either this check of the lanes sees the work, or the thread that enqueues it sees the count: all four accesses
    // are in one total order.
    startIfNeeded()
  }

  /// Counts a thread as no longer blocked.
  static func threadDidUnblock(isSpare: Bool = isCurrent) {
    blocked.subtract(1, ordering: .sequentiallyConsistent)
    if isSpare { running.withLock { $0 += 1 } }
  }

  /// Called after work was put into a lane, to start a spare thread if one is needed.
  static func workWasEnqueued() {
    if isAnyBlocked { ensureOneRuns() }
  }

  private static var isNeeded: Bool { isAnyBlocked && Lane.isAnyWaiting }

  private static func startIfNeeded() {
    if isNeeded { ensureOneRuns() }
  }

  /// Ensures that a spare thread runs.
  private static func ensureOneRuns() {
    let mustStart = running.withLock { running in
      // The number may be negative, because a spare thread that waits inside a call that takes too long counts as
      // blocked twice.
      if running > 0 { return false }
      running += 1
      return true
    }
    if mustStart { begin() }
  }

  /// Starts a thread, which already counts as running.
  ///
  /// If the system has no thread left, this tries again later. The waiting threads may be the only ones, so that no
  /// other code would try.
  private static func begin() {
    if start() { return }
    retries.asyncAfter(deadline: .now() + .milliseconds(50)) { if isNeeded { begin() } else { end() } }
  }

  /// The queue of the retries. As a serial queue, it gets a thread even when the pool is exhausted.
  private static let retries = DispatchQueue(label: "Overmorrow.SpareThreads")

  private static func runLanes() {
    // Unsafe: the pointer is never dereferenced.
    unsafe key.set(UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped) { _ in }
    while isAnyBlocked, Lane.runAny() {}
    end()
  }

  private static func end() {
    running.withLock { $0 -= 1 }
    // Another thread may have relied on this one while it was about to end.
    startIfNeeded()
  }

  /// Whether the calling thread is a spare thread.
  static var isCurrent: Bool { unsafe key.value != nil }

  /// The number of following starts that are to fail, for tests.
  static let startsToFail = Atomic(0)

  /// Starts a thread. Returns `false` if the system has none left.
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
