/// The callbacks that wait for a pause, and the work that follows it.
///
/// For each callback its context is given one ticket. When it comes to a ticket, it begins the first of its callbacks;
/// while the pause is suspended it begins none, and the ticket waits for the pause. So the callbacks of a context begin
/// in the order of arrival. `.immediate` needs no tickets.
///
/// Its lists are as long as the number of callbacks that have arrived and not begun. A retry that was cancelled while
/// it waited counts until its turn comes.
package final class PauseLine: Sendable {
  typealias Callback = @Sendable () -> Void

  /// Work that follows a pause, notified by one thread at a time.
  private struct Work {
    let notify: @Sendable (_ isSuspended: Bool) -> Void
    let drop: @Sendable () -> Void
    /// The state that it was last notified of.
    var isSuspended = false
    var isBeingNotified = false
  }

  private struct State {
    var isSuspended = false
    /// Whether the pause around this one is suspended.
    var isOuterSuspended = false
    /// Whether the pause was released. Then it can be neither suspended nor resumed.
    var isEnded = false
    /// The callbacks that have not begun. No context has an empty queue.
    var callbacks: [PromiseContext: Queue<Callback>] = [:]
    /// The contexts of the tickets that wait for the pause.
    var tickets = Queue<PromiseContext>()
    /// How many `.immediate` callbacks run, inside one another or on several threads.
    var nested = 0
    var works: [UInt64: Work] = [:]
    var attached: UInt64 = 0

    var isShut: Bool { isSuspended || isOuterSuspended }
    var isDropped: Bool { isEnded && isShut }

    /// Takes the first callback to run inside the call.
    mutating func takeHere() -> Callback? {
      guard !isShut, nested < PauseLine.nesting, let callback = take(for: .immediate) else { return nil }
      nested += 1
      return callback
    }

    /// Takes the first callback of a context.
    mutating func take(for context: PromiseContext) -> Callback? {
      defer { if callbacks[context]?.count == 0 { callbacks[context] = nil } }
      return callbacks[context]?.popFirst()
    }

    /// Whether a ticket may be used now. Otherwise it waits, unless it is of no use any more.
    mutating func mayUseTicket(for context: PromiseContext) -> Bool {
      if isShut, !isEnded { tickets.append(context) }
      return !isShut
    }

    /// Begins to notify work of the present state, unless it has that, or another thread notifies it.
    mutating func beginNotifying(_ number: UInt64) -> Work? {
      guard var work = works[number], !work.isBeingNotified, work.isSuspended != isShut else { return nil }
      (work.isSuspended, work.isBeingNotified) = (isShut, true)
      works[number] = work
      return work
    }
  }

  private let state = Guarded(State())

  /// Whether nothing may begin.
  package var isShut: Bool { state.withLock { $0.isShut } }

  /// Whether nothing will ever begin, as the pause was released while it was shut.
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
    // Tickets that a later suspension adds are left to the call that ends it.
    for _ in 0..<tickets {
      guard let context = state.withLock({ $0.isShut ? nil : $0.tickets.popFirst() }) else { break }
      giveTicket(to: context)
    }
    runHere()
  }

  /// The pause was released. If it is shut, what waits is dropped, as it can never open.
  func end() {
    let (isDropped, waiting, works) = state.withLock { state in
      state.isEnded = true
      defer {
        state.works = [:]
        if state.isShut { (state.callbacks, state.tickets) = ([:], Queue()) }
      }
      return (state.isShut, (state.callbacks, state.tickets), state.works.sorted { $0.key < $1.key })
    }
    // Released without the lock.
    withExtendedLifetime(waiting) {}
    if isDropped { for (_, work) in works { work.drop() } }
  }

  // MARK: Callbacks

  /// How many callbacks run inside one another at most.
  private static let nesting = 16
  /// How many callbacks that arrive meanwhile one call runs.
  private static let extraCallbacks = 1000

  /// Adds a callback, to begin in its turn on a context.
  func enter(on context: PromiseContext, _ callback: @escaping Callback) {
    let mayBegin = state.withLock { state in
      if state.isDropped { return false }
      state.callbacks[context, default: Queue()].append(callback)
      return context.isNow || state.mayUseTicket(for: context)
    }
    if mayBegin { context.isNow ? runHere() : giveTicket(to: context) }
  }

  /// Lets a context, which may drop that, begin the first of its callbacks.
  private func giveTicket(to context: PromiseContext) {
    let ticket = OneCall(
      { self.state.withLock { $0.mayUseTicket(for: context) ? $0.take(for: context) : nil }?() },
      ifDropped: { _ = self.state.withLock { $0.take(for: context) } })
    Pass.perform(on: context) { ticket() }
  }

  /// Runs what waits, until the pause is shut. If callbacks go on arriving, the rest is left to a global queue.
  private func runHere() {
    let waiting = state.withLock { $0.callbacks[.immediate]?.count ?? 0 }
    for _ in 0..<(waiting + PauseLine.extraCallbacks) {
      guard let callback = state.withLock({ $0.takeHere() }) else { return }
      callback()
      state.withLock { $0.nested -= 1 }
    }
    Pass.perform(on: .default) { self.runHere() }
  }

  /// The promise that a closure makes on a context when the pause is open: inside this call, if it is open now.
  ///
  /// A request to cancel the promise while it waits cancels it at once.
  package func whenOpen<Value, Failure>(
    on context: PromiseContext, _ body: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    guard isShut else { return body() }
    let (promise, work) = HeldWork.make(on: context.later) { _ in self.whenOpen(on: context, body) }
    enter(on: .immediate) { work.start() }
    return promise
  }

  // MARK: Work

  /// Keeps work until a promise has resolved.
  package func attach<Value, Failure>(_ work: any PromiseSuspendable, until promise: Promise<Value, Failure>) {
    let cancellable = promise.cancellable
    if promise.isResolved { return }
    let number = attach({ $0 ? work.suspend() : work.resume() }, orDrop: { cancellable.requestCancel() })
    if let number { promise.whenOver { [weak self] _ in self?.detach(number) } }
  }

  /// Adds work, which is notified of each change.
  ///
  /// - Parameter drop: Called if the pause goes while it is shut.
  /// - Returns: The number to detach it by; `nil` if the pause was released while it was shut.
  func attach(
    _ notify: @escaping @Sendable (_ isSuspended: Bool) -> Void, orDrop drop: @escaping @Sendable () -> Void
  ) -> UInt64? {
    let number = state.withLock { state -> UInt64? in
      if state.isDropped { return nil }
      state.attached += 1
      state.works[state.attached] = Work(notify: notify, drop: drop)
      return state.attached
    }
    if let number { self.notify(number) } else { drop() }
    return number
  }

  func detach(_ number: UInt64) { _ = state.withLock { $0.works.removeValue(forKey: number) } }

  /// Notifies work of the present state, unless another thread does. Each round handles a change made during the one
  /// before.
  private func notify(_ number: UInt64) {
    while let work = state.withLock({ $0.beginNotifying(number) }) {
      work.notify(work.isSuspended)
      state.withLock { $0.works[number]?.isBeingNotified = false }
    }
  }
}
