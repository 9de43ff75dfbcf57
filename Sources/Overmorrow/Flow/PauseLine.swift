/// The callbacks that wait for a pause, and the work that is attached to it.
///
/// For each callback, one ticket is submitted to the callback's context. When a ticket runs, it begins the first
/// waiting callback of its context. If the pause is suspended at that time, no callback begins, and the ticket waits
/// for the pause. So the callbacks of a context begin in the order of arrival. `.immediate` callbacks need no tickets.
///
/// The lists hold only callbacks that have arrived and not begun. A retry that was cancelled while it waited stays in
/// its list until its turn comes.
package final class PauseLine: Sendable {
  typealias Callback = @Sendable () -> Void

  /// Work that is attached to a pause. One thread at a time notifies it.
  private struct Work {
    let notify: @Sendable (_ isSuspended: Bool) -> Void
    let drop: @Sendable () -> Void
    /// The state that the work was last notified of.
    var isSuspended = false
    var isBeingNotified = false
  }

  private struct State {
    var isSuspended = false
    /// Whether the outer pause is suspended.
    var isOuterSuspended = false
    /// Whether the pause was released. If so, it can no longer be suspended or resumed.
    var isEnded = false
    /// The callbacks that have not begun. No context has an empty queue.
    var callbacks: [PromiseContext: Queue<Callback>] = [:]
    /// The contexts of the tickets that wait for the pause.
    var tickets = Queue<PromiseContext>()
    /// The number of `.immediate` callbacks that are running, nested or on several threads.
    var nested = 0
    var works: [UInt64: Work] = [:]
    var lastNumber: UInt64 = 0

    var isBlocked: Bool { isSuspended || isOuterSuspended }
    var isDropped: Bool { isEnded && isBlocked }

    /// Takes the first `.immediate` callback, unless the pause is suspended or too many callbacks are nested.
    mutating func takeImmediate() -> Callback? {
      guard !isBlocked, nested < PauseLine.maxNested, let callback = take(for: .immediate) else { return nil }
      nested += 1
      return callback
    }

    /// Takes the first callback of a context.
    mutating func take(for context: PromiseContext) -> Callback? {
      defer { if callbacks[context]?.count == 0 { callbacks[context] = nil } }
      return callbacks[context]?.popFirst()
    }

    /// Whether a ticket may be used now. If not, the ticket waits for the pause, unless the pause was released.
    mutating func mayUseTicket(for context: PromiseContext) -> Bool {
      if isBlocked, !isEnded { tickets.append(context) }
      return !isBlocked
    }

    /// Begins to notify work of the current state, unless the work already has it or another thread notifies the work.
    mutating func beginNotifying(_ number: UInt64) -> Work? {
      guard var work = works[number], !work.isBeingNotified, work.isSuspended != isBlocked else { return nil }
      (work.isSuspended, work.isBeingNotified) = (isBlocked, true)
      works[number] = work
      return work
    }
  }

  private let state = Guarded(State())

  /// Whether no callback may begin, because this pause or the outer one is suspended.
  package var isBlocked: Bool { state.withLock { $0.isBlocked } }

  /// Whether no callback will ever begin, because the pause was released while it was suspended.
  package var isDropped: Bool { state.withLock { $0.isDropped } }

  package func suspend() { change { $0.isSuspended = true } }

  package func resume() { change { $0.isSuspended = false } }

  func setOuter(isSuspended: Bool) { change { $0.isOuterSuspended = isSuspended } }

  private func change(_ body: (inout State) -> Void) {
    let (works, tickets) = state.withLock { state in
      if !state.isEnded { body(&state) }
      return (state.works.keys.sorted(), state.tickets.count)
    }
    for number in works { notify(number) }
    // Tickets that a later suspension adds are left to the call that ends that suspension.
    for _ in 0..<tickets {
      guard let context = state.withLock({ $0.isBlocked ? nil : $0.tickets.popFirst() }) else { break }
      submitTicket(to: context)
    }
    runImmediate()
  }

  /// Ends the line of a pause that was released. If the pause was suspended, it can never be resumed, so everything
  /// that waits is dropped.
  func end() {
    let (isDropped, waiting, works) = state.withLock { state in
      state.isEnded = true
      defer {
        state.works = [:]
        if state.isBlocked { (state.callbacks, state.tickets) = ([:], Queue()) }
      }
      return (state.isBlocked, (state.callbacks, state.tickets), state.works.sorted { $0.key < $1.key })
    }
    // Released without the lock.
    withExtendedLifetime(waiting) {}
    if isDropped { for (_, work) in works { work.drop() } }
  }

  // MARK: Callbacks

  /// The largest number of nested `.immediate` callbacks.
  private static let maxNested = 16
  /// The largest number of callbacks that one call runs in addition to those that were waiting when it began.
  private static let extraCallbacks = 1000

  /// Adds a callback, to begin in its turn on a context.
  func enter(on context: PromiseContext, _ callback: @escaping Callback) {
    let mayBegin = state.withLock { state in
      if state.isDropped { return false }
      state.callbacks[context, default: Queue()].append(callback)
      return context.isNow || state.mayUseTicket(for: context)
    }
    if mayBegin { context.isNow ? runImmediate() : submitTicket(to: context) }
  }

  /// Submits a ticket, which begins the first waiting callback of a context. If the context drops the ticket, the first
  /// waiting callback is dropped as well.
  private func submitTicket(to context: PromiseContext) {
    let ticket = OneCall(
      { self.state.withLock { $0.mayUseTicket(for: context) ? $0.take(for: context) : nil }?() },
      ifDropped: { _ = self.state.withLock { $0.take(for: context) } })
    Pass.perform(on: context) { ticket() }
  }

  /// Runs the waiting `.immediate` callbacks until the pause is suspended. If callbacks keep arriving, leaves the rest
  /// to a global queue.
  private func runImmediate() {
    let waiting = state.withLock { $0.callbacks[.immediate]?.count ?? 0 }
    for _ in 0..<(waiting + PauseLine.extraCallbacks) {
      guard let callback = state.withLock({ $0.takeImmediate() }) else { return }
      callback()
      state.withLock { $0.nested -= 1 }
    }
    Pass.perform(on: .default) { self.runImmediate() }
  }

  /// Calls a closure on a context when the pause is not suspended: inside this call, if it is not suspended now.
  /// Returns a promise for the closure's result.
  ///
  /// A request to cancel that promise while the closure waits cancels the promise at once.
  package func whenUnblocked<Value, Failure>(
    on context: PromiseContext, _ body: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    HeldWork.whenUnblocked([self], on: context, body)
  }

  // MARK: Work

  /// Attaches work until a promise has resolved.
  package func attach<Value, Failure>(_ work: any PromiseSuspendable, until promise: Promise<Value, Failure>) {
    let cancellable = promise.cancellable
    if promise.isResolved { return }
    let number = attach({ $0 ? work.suspend() : work.resume() }, orDrop: { cancellable.requestCancel() })
    if let number { promise.whenResolved { [weak self] _ in self?.detach(number) } }
  }

  /// Attaches work, which is notified of each change.
  ///
  /// - Parameter drop: A closure that is called if the pause is released while it is suspended.
  /// - Returns: The number by which to detach the work, or `nil` if the pause was already released while it was
  ///   suspended.
  func attach(
    _ notify: @escaping @Sendable (_ isSuspended: Bool) -> Void, orDrop drop: @escaping @Sendable () -> Void
  ) -> UInt64? {
    let number = state.withLock { state -> UInt64? in
      if state.isDropped { return nil }
      state.lastNumber += 1
      state.works[state.lastNumber] = Work(notify: notify, drop: drop)
      return state.lastNumber
    }
    if let number { self.notify(number) } else { drop() }
    return number
  }

  func detach(_ number: UInt64) { _ = state.withLock { $0.works.removeValue(forKey: number) } }

  /// Notifies work of the current state, unless another thread is doing so. Each round handles a change that was made
  /// during the previous one.
  private func notify(_ number: UInt64) {
    while let work = state.withLock({ $0.beginNotifying(number) }) {
      work.notify(work.isSuspended)
      state.withLock { $0.works[number]?.isBeingNotified = false }
    }
  }
}
