/// The callbacks that wait for a pause, and the work that follows it.
///
/// A context is given one ticket for each callback that waits for it. When it comes to a ticket, it begins the first of
/// these callbacks; while the pause is suspended it begins none, and gets another ticket when the pause is resumed. So
/// the callbacks of a context begin in the order of arrival, and a busy queue does not fill with tickets. `.immediate`
/// needs no tickets.
package final class PauseLine: Sendable {
  /// What waits for one context, and how many tickets that has.
  private struct Queue {
    var turns = IndexedHeap<PauseTurn>()
    var tickets = 0
  }

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
    /// No context has an empty queue.
    var queues: [PromiseContext: Queue] = [:]
    /// How many `.immediate` callbacks run, inside one another or on several threads.
    var nested = 0
    var works: [UInt64: Work] = [:]
    /// Numbers turns and works.
    var last: UInt64 = 0

    var isShut: Bool { isSuspended || isOuterSuspended }
    var isDropped: Bool { isEnded && isShut }

    mutating func nextNumber() -> UInt64 {
      last += 1
      return last
    }

    /// Takes the first callback that waits for a context.
    mutating func take(for context: PromiseContext) -> PauseTurn? {
      defer { forget(context) }
      return queues[context]?.turns.popFirst()
    }

    mutating func forget(_ context: PromiseContext) {
      if let queue = queues[context], queue.turns.count == 0, queue.tickets == 0 { queues[context] = nil }
    }

    /// How many tickets a context is to be given.
    mutating func issueTickets(for context: PromiseContext) -> Int {
      guard !isShut, let queue = queues[context], queue.turns.count > queue.tickets else { return 0 }
      queues[context]?.tickets = queue.turns.count
      return queue.turns.count - queue.tickets
    }

    /// Takes the first callback to run inside the call.
    mutating func nextHere() -> PauseTurn? {
      guard !isShut, nested < PauseLine.nesting, let turn = take(for: .immediate) else { return nil }
      nested += 1
      return turn
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

  /// How many callbacks wait for a context.
  func waitingCount(for context: PromiseContext) -> Int { state.withLock { $0.queues[context]?.turns.count ?? 0 } }

  package func suspend() { change { $0.isSuspended = true } }

  package func resume() { change { $0.isSuspended = false } }

  func setOuter(isSuspended: Bool) { change { $0.isOuterSuspended = isSuspended } }

  private func change(_ body: (inout State) -> Void) {
    let works = state.withLock { state -> [UInt64] in
      if !state.isEnded { body(&state) }
      return state.works.keys.sorted()
    }
    for number in works { notify(number) }
    let firsts = state.withLock { state in state.queues.values.compactMap(\.turns.first) }
    for turn in firsts.sorted(by: { $0.arrival < $1.arrival }) { submit(to: turn.context) }
  }

  /// The pause was released. If it is shut, what waits is dropped, as it can never open.
  func end() {
    let (isDropped, queues, works) = state.withLock { state in
      state.isEnded = true
      defer {
        state.works = [:]
        if state.isShut { state.queues = [:] }
      }
      return (state.isShut, state.queues, state.works.sorted { $0.key < $1.key })
    }
    // Released without the lock.
    withExtendedLifetime(queues) {}
    if isDropped { for (_, work) in works { work.drop() } }
  }

  // MARK: Callbacks

  /// How many callbacks run inside one another at most.
  private static let nesting = 16
  /// How many callbacks that arrive meanwhile one call runs.
  private static let extraCallbacks = 1000

  /// Adds a callback, to begin in its turn.
  func enter(_ turn: PauseTurn) {
    state.withLock { state in
      if state.isDropped { return }
      turn.arrival = state.nextNumber()
      state.queues[turn.context, default: Queue()].turns.insert(turn)
    }
    submit(to: turn.context)
  }

  /// Removes a callback that need not begin any more.
  private func leave(_ turn: PauseTurn) {
    state.withLock { state in
      state.queues[turn.context]?.turns.remove(turn)
      state.forget(turn.context)
    }
  }

  /// Gives a context a ticket for each callback that has none, or runs the callbacks inside this call.
  private func submit(to context: PromiseContext) {
    if context.isNow { return runHere() }
    for _ in 0..<state.withLock({ $0.issueTickets(for: context) }) {
      let ticket = OneCall(
        { self.take(for: context, isDropped: false)?.work() },
        ifDropped: { _ = self.take(for: context, isDropped: true) })
      run(on: context) { ticket() }
    }
  }

  /// A context has come to a ticket, or has dropped it: then it drops a callback, also while the pause is suspended.
  private func take(for context: PromiseContext, isDropped: Bool) -> PauseTurn? {
    state.withLock { state in
      state.queues[context]?.tickets -= 1
      defer { state.forget(context) }
      return isDropped || !state.isShut ? state.take(for: context) : nil
    }
  }

  /// Runs what waits, until the pause is shut. If callbacks go on arriving, the rest is left to a global queue.
  private func runHere() {
    for _ in 0..<(waitingCount(for: .immediate) + PauseLine.extraCallbacks) {
      guard let turn = state.withLock({ $0.nextHere() }) else { return }
      turn.work()
      state.withLock { $0.nested -= 1 }
    }
    run(on: .default) { self.runHere() }
  }

  /// Runs code on a context, which may drop it.
  private func run(on context: PromiseContext, _ body: @escaping @Sendable () -> Void) {
    Promise<Void, Never>(fulfilled: ()).report(LibraryPart.self, on: context, gate: nil, .init { _ in body() })
  }

  /// The promise that a closure makes on a context when the pause is open: inside this call, if it is open now.
  ///
  /// A request to cancel the promise while it waits cancels it at once.
  package func whenOpen<Value, Failure>(
    on context: PromiseContext, _ body: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    guard isShut else { return body() }
    let (opening, resolver) = Promise<Void, Failure>.makeForLibrary()
    let turn = PauseTurn(on: .immediate) { resolver.fulfill(with: ()) }
    resolver.onRequestCancelWhileKept { [weak self, weak turn] resolver in
      if let turn { self?.leave(turn) }
      resolver.cancel()
    }
    enter(turn)
    return opening.transformValue(on: context, token: nil) { .promise(self.whenOpen(on: context, body)) }
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
      let number = state.nextNumber()
      state.works[number] = Work(notify: notify, drop: drop)
      return number
    }
    if let number { self.notify(number) } else { drop() }
    return number
  }

  func detach(_ number: UInt64) {
    let work = state.withLock { $0.works.removeValue(forKey: number) }
    withExtendedLifetime(work) {}
  }

  /// Notifies work of the present state, unless another thread does. Each round handles a change made during the one
  /// before.
  private func notify(_ number: UInt64) {
    while let work = state.withLock({ $0.beginNotifying(number) }) {
      work.notify(work.isSuspended)
      state.withLock { $0.works[number]?.isBeingNotified = false }
    }
  }
}

/// A callback that wants to begin.
final class PauseTurn: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `context` and `work` never change; the rest is only touched under the lock of the line.
  let context: PromiseContext
  let work: @Sendable () -> Void
  /// Its number among those that have arrived.
  fileprivate var arrival: UInt64 = 0
  var index: Int?
  var number: UInt64 = 0

  init(on context: PromiseContext, _ work: @escaping @Sendable () -> Void) {
    self.context = context
    self.work = work
  }
}
