internal import Dispatch
internal import OvermorrowEngine

/// The watch over callbacks of watched promises that keep the main queue or a serial queue for longer than a limit.
///
/// # Time is counted in ticks
///
/// While watched callbacks run on such queues, a timer ticks four times in each limit. Each tick counts for the
/// innermost callback of each thread. A callback with five ticks has run for at least the time between the first and
/// the last of them, which is the limit. It is reported at that tick, so a callback that never ends is reported, too.
/// No clock is read.
///
/// - The timer starts with a callback. It stops at the first tick that finds no callback and after which none has
///   begun. So an idle program has no timer.
/// - A tick that is late counts once. So a debugger that stops the program, a system that sleeps, and a machine that
///   lets no thread of the program run do not look like a stall. The time in which only the thread of the callback gets
///   no processor does count, because the queue is kept from all other work in that time, too.
/// - The ticks of an inner callback count for the callback around it when the inner callback ends without a report. So
///   the innermost callback that is too long by itself is reported, and many short ones are reported as one outer
///   callback.
/// - A blocking wait counts like an inner callback that is never reported here. If the wait is reported as a long wait,
///   its time counts for no callback.
///
/// # Bounds
///
/// The list has at most one entry for each thread that runs a callback.
package enum StallWatch {
  /// The number of ticks in a limit.
  static var ticksPerLimit: Int { 4 }
  /// The limit of a serial queue, as a multiple of the limit of the main queue.
  static var queueLimits: Int { 8 }

  /// A tick of the timer.
  private struct Tick {
    let limit: Duration
    let changes: Int
  }

  private struct State {
    var limit: Duration? = .milliseconds(250)
    /// The innermost callback of each thread that runs callbacks.
    var running: [RunningCallback] = []
    var isTicking = false
    /// Whether a callback has begun since the last tick.
    var hasBegun = false
    /// The number of changes of the limit. A tick of the timer has an effect only before the next change.
    var changes = 0

    /// The next tick of the timer; `nil` if the timer is not to tick.
    var nextTick: Tick? { isTicking ? limit.map { Tick(limit: $0, changes: changes) } : nil }

    /// Sets the entry at the position of a callback.
    mutating func replace(_ callback: RunningCallback, by other: RunningCallback) {
      other.index = callback.index
      running[other.index] = other
    }

    mutating func remove(_ callback: RunningCallback) {
      let last = running.removeLast()
      if last !== callback { replace(callback, by: last) }
    }
  }

  private static let state = Guarded(State())
  static let queue = DispatchQueue(label: "Overmorrow.StallWatch", qos: .utility)

  /// The limit of the main queue; `nil` if nothing is reported.
  package static var limit: Duration? {
    get { state.withLock { $0.limit } }
    set {
      let first = state.withLock { state in
        state.limit = newValue
        state.changes += 1
        state.isTicking = newValue != nil && !state.running.isEmpty
        return state.nextTick
      }
      scheduleTick(first)
    }
  }

  /// Whether the timer ticks.
  static var isTicking: Bool { state.withLock { $0.isTicking } }

  /// Whether no watched callback runs.
  static var isIdle: Bool { state.withLock { $0.running.isEmpty } }

  // MARK: Callbacks

  /// Begins to watch a callback of a promise on the calling thread. If the callback keeps neither the main queue nor a
  /// dispatch queue, only records that it runs.
  package static func begin(_ owner: any CallbackOwner, isStep: Bool) -> RunningCallback? {
    guard DiagnosticsSwitch.watchesAll else { return nil }
    let outer = RunningCallback.current
    let (isOnMain, queue) = outer == nil ? (MainQueue.isCurrent, Pass.queue?.queue) : (false, outer?.queue)
    if outer?.isListed ?? (isOnMain || queue != nil),
      let callback = add(RunningCallback(owner, isStep: isStep, isOnMain ? nil : queue, inside: outer))
    {
      return callback
    }
    let callback = RunningCallback(owner, isStep: isStep, inside: outer, isListed: false)
    ThreadLocal.current.callback = callback
    return callback
  }

  /// Begins a blocking wait in a callback, or a look-up of lines, whose time does not count if it is noted as reported.
  /// Returns `nil` if the thread runs no callback that is watched.
  package static func beginWait() -> RunningCallback? {
    guard let outer = RunningCallback.current, outer.isListed else { return nil }
    return add(RunningCallback(nil, isStep: false, outer.queue, inside: outer))
  }

  private static func add(_ callback: RunningCallback) -> RunningCallback? {
    let (isAdded, first) = state.withLock { state in
      if state.limit == nil { return (false, Tick?.none) }
      if let outer = callback.outer {
        state.replace(outer, by: callback)
      } else {
        callback.index = state.running.count
        state.running.append(callback)
      }
      state.hasBegun = true
      if state.isTicking { return (true, nil) }
      state.isTicking = true
      return (true, state.nextTick)
    }
    guard isAdded else { return nil }
    ThreadLocal.current.callback = callback
    scheduleTick(first)
    return callback
  }

  static func remove(_ callback: RunningCallback) {
    let due: [RunningCallback] = state.withLock { state in
      guard let outer = callback.outer else {
        state.remove(callback)
        return []
      }
      state.replace(callback, by: outer)
      if !callback.isReported { outer.ticks += callback.ticks }
      return takeDue(from: [outer])
    }
    if !due.isEmpty { queue.async { due.forEach(report) } }
  }

  static func noteReported(_ wait: RunningCallback) { state.withLock { _ in wait.isReported = true } }

  // MARK: Ticks

  private static func scheduleTick(_ next: Tick?) {
    guard let next else { return }
    queue.asyncAfter(deadline: .now() + (next.limit / ticksPerLimit).dispatchInterval()) {
      let (isDue, following) = state.withLock { state in
        guard state.changes == next.changes else { return (false, Tick?.none) }
        state.isTicking = state.hasBegun || !state.running.isEmpty
        state.hasBegun = false
        return (true, state.nextTick)
      }
      if isDue { tick() }
      scheduleTick(following)
    }
  }

  /// Counts a tick for each running callback, and reports the callbacks that are due.
  static func tick() {
    let due = state.withLock { state in
      for callback in state.running { callback.ticks += 1 }
      return takeDue(from: state.running)
    }
    due.forEach(report)
  }

  /// Returns the callbacks that have become due, so that each callback is found once. The lock is held.
  private static func takeDue(from callbacks: [RunningCallback]) -> [RunningCallback] {
    let due = callbacks.filter(\.isDue)
    for callback in due { callback.isReported = true }
    return due
  }

  // MARK: Reports

  private static func report(_ callback: RunningCallback) {
    guard let owner = callback.owner, let limit else { return }
    // Code of the main thread counts as being on the main queue, even if nothing serves the queue.
    if callback.queue == nil, !UnservedMainQueue.isServed { return }
    let label = callback.queue.map { $0.label.isEmpty ? "a serial queue" : "the queue \($0.label)" }
    Diagnostics.report(
      .longCallback(
        origin: owner.namedOrigin, step: callback.step, queue: label ?? "the main queue",
        duration: limit * callback.limits))
  }
}
