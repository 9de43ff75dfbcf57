public import Overmorrow
internal import OvermorrowEngine

/// The callbacks that wait for a pause, and the work that is attached to the pause.
///
/// For each callback, one ticket is submitted to the callback's context. When a ticket runs, it begins the first
/// waiting callback of its context. If the pause is suspended at that time, no callback begins, and the ticket waits
/// for the pause. So the callbacks of a context begin in the order of arrival. `.immediate` callbacks need no tickets.
///
/// The lists hold only callbacks that have arrived but not begun. If a retry is cancelled while its callback waits, the
/// callback stays in its list until its turn comes.
@_spi(Adapters)
public final class PauseLine: Sendable {
  typealias Callback = @Sendable () -> Void

  /// Work that is attached to a pause. Only one thread at a time notifies the work.
  private struct Work {
    let notify: @Sendable (_ isSuspended: Bool) -> Void
    let drop: @Sendable () -> Void
    /// An object that is retained while the work is attached; `nil` if the pause was released before.
    let kept: (any Sendable)?
    /// The state of which the work was last notified.
    var isSuspended = false
    var isBeingNotified = false
  }

  private enum Phase: Equatable {
    case alive(isSuspended: Bool, isOuterSuspended: Bool)
    /// The pause was released while it was not suspended. It can no longer be suspended.
    case open
    /// The pause or its outer pause was released while suspended. The pause can no longer be resumed, and nothing waits
    /// for it.
    case dropped

    var description: String {
      switch self {
      case .alive(isSuspended: false, isOuterSuspended: false), .open: "not suspended"
      case .alive(isSuspended: true, _): "suspended"
      case .alive(isSuspended: false, isOuterSuspended: true): "suspended by its outer pause"
      case .dropped: "suspended for ever, because a pause was released"
      }
    }
  }

  private struct State {
    var phase = Phase.alive(isSuspended: false, isOuterSuspended: false)
    /// The callbacks that have not begun. No context has an empty queue.
    var callbacks: [PromiseContext: Queue<Callback>] = [:]
    /// The contexts of the tickets that wait for the pause.
    var tickets = Queue<PromiseContext>()
    /// The number of `.immediate` callbacks that are running, nested or on several threads.
    var nested = 0
    var works: [UInt64: Work] = [:]
    var lastNumber: UInt64 = 0

    var isBlocked: Bool {
      switch phase {
      case .alive(let isSuspended, let isOuterSuspended): isSuspended || isOuterSuspended
      case .open: false
      case .dropped: true
      }
    }

    mutating func setSuspended(_ isSuspended: Bool) {
      guard case .alive(_, let isOuterSuspended) = phase else { return }
      phase = .alive(isSuspended: isSuspended, isOuterSuspended: isOuterSuspended)
    }

    mutating func setOuterSuspended(_ isOuterSuspended: Bool) {
      guard case .alive(let isSuspended, _) = phase else { return }
      phase = .alive(isSuspended: isSuspended, isOuterSuspended: isOuterSuspended)
    }

    /// Takes the first `.immediate` callback. Returns `nil` if no callback waits, the pause is suspended, or too many
    /// callbacks are nested.
    mutating func takeImmediate() -> Callback? {
      guard !isBlocked, nested < PauseLine.maxNested, let callback = take(for: .immediate) else { return nil }
      nested += 1
      return callback
    }

    /// Takes the first callback of a context, or returns `nil` if no callback waits.
    mutating func take(for context: PromiseContext) -> Callback? {
      defer { if callbacks[context]?.count == 0 { callbacks[context] = nil } }
      return callbacks[context]?.popFirst()
    }

    /// Returns whether a ticket may be used now. If the pause is suspended and was not released, the ticket waits for
    /// the pause.
    mutating func mayUseTicket(for context: PromiseContext) -> Bool {
      if isBlocked, phase != .dropped { tickets.append(context) }
      return !isBlocked
    }

    /// Begins to notify work of the current state. Returns `nil` if the work is detached or was notified of that state,
    /// or if another thread is notifying the work.
    mutating func beginNotifying(_ number: UInt64) -> Work? {
      guard var work = works[number], !work.isBeingNotified, work.isSuspended != isBlocked else { return nil }
      (work.isSuspended, work.isBeingNotified) = (isBlocked, true)
      works[number] = work
      return work
    }
  }

  private let state = Guarded(State())

  /// Whether no callback may begin, because this pause or the outer pause is suspended.
  var isBlocked: Bool { state.withLock { $0.isBlocked } }

  /// Whether no callback will ever begin, because the pause was released while it was suspended.
  @_spi(Adapters)
  public var isDropped: Bool { state.withLock { $0.phase == .dropped } }

  /// The state of the pause, and the numbers of waiting callbacks and of attached work, for descriptions.
  var content: (state: String, callbacks: Int, works: Int) {
    state.withLock { state in
      (state.phase.description, state.callbacks.values.reduce(0) { $0 + $1.count }, state.works.count)
    }
  }

  func suspend() { change { $0.setSuspended(true) } }

  /// Resumes the callbacks and the attached work. Does nothing once the pause has been released.
  @_spi(Adapters)
  public func resume() { change { $0.setSuspended(false) } }

  func setOuter(isSuspended: Bool) { change { $0.setOuterSuspended(isSuspended) } }

  private func change(_ body: (inout State) -> Void) {
    let (works, tickets) = state.withLock { state in
      body(&state)
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

  /// Ends the line when the pause is released, or when its outer pause is released while suspended. If the pause is
  /// suspended, it can never be resumed, so the waiting callbacks and the attached work are dropped.
  func pauseDidEnd() {
    let (isDropped, waiting, works) = state.withLock { state in
      state.phase = state.isBlocked ? .dropped : .open
      defer {
        state.works = [:]
        if state.phase == .dropped { (state.callbacks, state.tickets) = ([:], Queue()) }
      }
      return (state.phase == .dropped, (state.callbacks, state.tickets), state.works.sorted { $0.key < $1.key })
    }
    // The waiting callbacks are released after unlocking.
    withExtendedLifetime(waiting) {}
    if isDropped { for (_, work) in works { work.drop() } }
  }

  // MARK: Callbacks

  /// The largest number of nested `.immediate` callbacks.
  private static let maxNested = 16
  /// The largest number of additional callbacks that one call of `runImmediate` runs, after the callbacks that were
  /// waiting when the call began.
  private static let extraCallbacks = 1000

  /// Adds a callback, which begins in its turn on a context. If the pause was released while suspended, drops the
  /// callback.
  func enter(on context: PromiseContext, _ callback: @escaping Callback) {
    let mayBegin = state.withLock { state in
      if state.phase == .dropped { return false }
      state.callbacks[context, default: Queue()].append(callback)
      return context.isNow || state.mayUseTicket(for: context)
    }
    if mayBegin { context.isNow ? runImmediate() : submitTicket(to: context) }
  }

  /// Submits a ticket to a context. When the ticket runs, it begins the first waiting callback of the context. If the
  /// context drops the ticket, the first waiting callback of the context is dropped.
  private func submitTicket(to context: PromiseContext) {
    let ticket = OneCall(
      { self.state.withLock { $0.mayUseTicket(for: context) ? $0.take(for: context) : nil }?() },
      ifDropped: { _ = self.state.withLock { $0.take(for: context) } })
    context.perform { ticket() }
  }

  /// Runs the waiting `.immediate` callbacks until the pause is suspended. If callbacks keep arriving, submits the rest
  /// to a global queue.
  private func runImmediate() {
    let waiting = state.withLock { $0.callbacks[.immediate]?.count ?? 0 }
    for _ in 0..<(waiting + PauseLine.extraCallbacks) {
      guard let callback = state.withLock({ $0.takeImmediate() }) else { return }
      callback()
      state.withLock { $0.nested -= 1 }
    }
    PromiseContext.default.perform { self.runImmediate() }
  }

  /// Calls a closure when the pause is not suspended, and returns a promise for the result of the closure. If the pause
  /// is not suspended now, calls the closure inside this call. If the pause is suspended, the closure is called later,
  /// on the context.
  ///
  /// If the promise is asked to cancel while the closure waits, the promise is cancelled at once.
  @_spi(Adapters)
  public func whenUnblocked<Value, Failure>(
    on context: PromiseContext, _ body: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    HeldWork.whenUnblocked([self], on: context, body)
  }

  // MARK: Work

  /// Attaches work to the pause until a promise has resolved.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - kept: An object to retain until the promise has resolved or the pause is released.
  ///   - promise: The promise.
  @_spi(Adapters)
  public func attach<Value, Failure>(
    _ work: any PromiseSuspendable, keeping kept: (any Sendable)? = nil, until promise: Promise<Value, Failure>
  ) {
    let cancellable = promise.cancellable
    if promise.isResolved { return }
    let number = attach({ $0 ? work.suspend() : work.resume() }, orDrop: { cancellable.requestCancel() }, keeping: kept)
    if let number { promise.whenResolved { [weak self] _ in self?.detach(number) } }
  }

  /// Attaches work. The work is notified when the pause is suspended or resumed.
  ///
  /// - Parameters:
  ///   - notify: A closure that is called with the state.
  ///   - drop: A closure that is called if the pause is released while the pause is suspended.
  ///   - kept: An object to retain until the work is detached or the pause is released.
  /// - Returns: The number with which to detach the work, or `nil` if the pause was released earlier while it was
  ///   suspended.
  func attach(
    _ notify: @escaping @Sendable (_ isSuspended: Bool) -> Void, orDrop drop: @escaping @Sendable () -> Void,
    keeping kept: (any Sendable)? = nil
  ) -> UInt64? {
    let number = state.withLock { state -> UInt64? in
      if state.phase == .dropped { return nil }
      state.lastNumber += 1
      state.works[state.lastNumber] = Work(notify: notify, drop: drop, kept: state.phase == .open ? nil : kept)
      return state.lastNumber
    }
    if let number { self.notify(number) } else { drop() }
    return number
  }

  func detach(_ number: UInt64) { _ = state.withLock { $0.works.removeValue(forKey: number) } }

  /// Notifies work of the current state. Does nothing if another thread is notifying the work, because that thread
  /// continues until the work has the current state.
  private func notify(_ number: UInt64) {
    while let work = state.withLock({ $0.beginNotifying(number) }) {
      work.notify(work.isSuspended)
      state.withLock { $0.works[number]?.isBeingNotified = false }
    }
  }
}
