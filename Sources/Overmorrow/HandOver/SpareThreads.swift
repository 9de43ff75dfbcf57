internal import COvermorrowSystem
internal import Dispatch

/// Threads that run the library's work while other threads are blocked.
///
/// Dispatch's pool has a limited number of threads. When all of these threads are blocked, the pool gets a new thread
/// late or not at all, so the work that the blocked threads wait for does not run. Once a thread has been blocked for
/// some time, a spare thread beyond the pool runs the work that waits in the lanes. If the spare thread blocks in a
/// wait, another spare thread takes its place. A spare thread ends when the lanes are empty, or when no other thread is
/// blocked.
///
/// No work that calls user code runs on the stack of a waiting thread, because the user code could wait for something
/// that the waiting thread does only after its wait.
enum SpareThreads {
  /// The number of threads that have been blocked for some time.
  static let blocked = Atomic(0)
  /// The number of spare threads that are running or about to start. Blocked spare threads are not counted.
  private static let running = Guarded(0)
  /// The thread-local key of a pointer that only spare threads have.
  private static let key = ThreadKey()

  /// Whether any thread counts as blocked. The read of the count is sequentially consistent, for the reason that
  /// `threadWillBlock` gives.
  static var isAnyBlocked: Bool { blocked.load(ordering: .sequentiallyConsistent) > 0 }

  /// The number of blocked threads. The number may be out of date, because the read is relaxed.
  static var numberBlocked: Int { blocked.load(ordering: .relaxed) }

  /// Counts a thread as blocked: the calling thread in a wait, or the thread of a call that exceeds its time limit.
  static func threadWillBlock(isSpare: Bool = isCurrent) {
    if isSpare { running.withLock { $0 -= 1 } }
    blocked.add(1, ordering: .sequentiallyConsistent)
    // If another thread enqueues work at the same time, either this check of the lanes sees the work, or that thread
    // sees the new count, because the two writes and the two reads are in one total order.
    startIfNeeded()
  }

  /// Counts a thread as no longer blocked.
  static func threadDidUnblock(isSpare: Bool = isCurrent) {
    blocked.subtract(1, ordering: .sequentiallyConsistent)
    if isSpare { running.withLock { $0 += 1 } }
  }

  /// Starts a spare thread if one is needed. Called after work has been put into a lane.
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
      // The number may be negative, because a spare thread counts as blocked twice if it waits inside a call that
      // exceeds its time limit.
      if running > 0 { return false }
      running += 1
      return true
    }
    if mustStart { begin() }
  }

  /// Starts a spare thread. The thread already counts as running.
  ///
  /// If the system cannot create a thread, this function tries again later. Without the later attempt, no spare thread
  /// might ever start, because all other threads may be waiting.
  private static func begin() {
    if start() { return }
    retries.asyncAfter(deadline: .now() + .milliseconds(50)) { if isNeeded { begin() } else { end() } }
  }

  /// The queue of the retries. The queue is serial, so it gets a thread even if the pool is exhausted.
  private static let retries = DispatchQueue(label: "Overmorrow.SpareThreads")

  private static func runLanes() {
    // Unsafe: the pointer is never dereferenced.
    unsafe key.set(UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped) { _ in }
    while isAnyBlocked, Lane.runAny() {}
    end()
  }

  private static func end() {
    running.withLock { $0 -= 1 }
    // While this thread still counted as running, another thread may have needed a spare thread and, because of that
    // count, not started one. So the need is checked again.
    startIfNeeded()
  }

  /// Whether the calling thread is a spare thread.
  static var isCurrent: Bool { unsafe key.value != nil }

  /// The number of following starts that fail. Only tests set this number.
  static let startsToFail = Atomic(0)

  /// Starts a thread. Returns `false` if the system cannot create a thread.
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
