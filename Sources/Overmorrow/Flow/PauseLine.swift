/// The callbacks that wait for a pause, and the work that is told of it.
///
/// One thread at a time hands callbacks over, so that they reach their contexts in their order; what arrives meanwhile is
/// left to that thread. Each piece of work has a teller in the same way.
package final class PauseLine: Sendable {
  private struct State {
    var isSuspended = false
    /// Whether the pause around this one is suspended.
    var isOuterSuspended = false
    /// Whether the pause was released. Then nothing shuts or opens it any more.
    var isEnded = false
    /// What waits.
    var turns = IndexedHeap<PauseTurn>()
    /// What was handed to its context and has not begun, by its number.
    var handedOver: [UInt64: PauseTurn] = [:]
    /// Whether a thread hands over a turn.
    var isHandingOver = false
    /// How many turns run right there, inside one another or on several threads.
    var nested = 0
    var works: [UInt64: AttachedWork] = [:]
    /// Numbers turns and works.
    var last: UInt64 = 0

    var isShut: Bool { isSuspended || isOuterSuspended }
    var isDropped: Bool { isEnded && isShut }

    mutating func nextNumber() -> UInt64 {
      last += 1
      return last
    }

    /// Takes a callback that was handed over, unless its context has had it since.
    mutating func take(_ arrival: UInt64, _ round: Int) -> PauseTurn? {
      handedOver[arrival]?.round == round ? handedOver.removeValue(forKey: arrival) : nil
    }

    /// A context has come to a callback that may not begin. It waits again, as does what that context has behind it: otherwise
    /// that would come first.
    mutating func takeBack(_ first: PauseTurn) {
      handedOver[first.arrival] = first
      for turn in handedOver.values where turn.context == first.context {
        handedOver[turn.arrival] = nil
        turn.round += 1
        turns.insert(turn)
      }
    }

    /// The callback to hand over next, and what it begins by.
    ///
    /// - Parameter last: What the caller has handed over before.
    mutating func nextTurn(after last: PauseTurn?) -> (turn: PauseTurn, round: Int)? {
      leave(last)
      guard !isShut, !isHandingOver, let turn = turns.first, !turn.context.isNow || nested < PauseLine.nesting
      else { return nil }
      turns.remove(turn)
      handedOver[turn.arrival] = turn
      if turn.context.isNow { nested += 1 } else { isHandingOver = true }
      return (turn, turn.round)
    }

    /// The caller has handed over a callback. What runs right there may take its time, so others may hand over meanwhile.
    mutating func leave(_ turn: PauseTurn?) {
      guard let turn else { return }
      if turn.context.isNow { nested -= 1 } else { isHandingOver = false }
    }

    /// What a piece of work is to be told next.
    ///
    /// - Parameter isMine: Whether the caller has told it before, and then whether it tells it this.
    mutating func news(for number: UInt64, after isMine: inout Bool) -> (any PromiseSuspendable, isShut: Bool)? {
      if isMine { works[number]?.isBeingTold = false }
      isMine = false
      let isShut = isShut
      guard let work = works[number], !work.isBeingTold, work.isSuspended != isShut else { return nil }
      works[number]?.isSuspended = isShut
      works[number]?.isBeingTold = true
      isMine = true
      return (work.work, isShut)
    }
  }

  private let state = Guarded(State())

  /// Whether nothing may begin.
  package var isShut: Bool { state.withLock { $0.isShut } }

  /// Whether nothing will ever begin, as the pause was released while it was shut.
  package var isDropped: Bool { state.withLock { $0.isDropped } }

  /// How many callbacks wait.
  var waitingCount: Int { state.withLock { $0.turns.count } }

  package func suspend() { change { $0.isSuspended = true } }

  package func resume() { change { $0.isSuspended = false } }

  func setOuter(isSuspended: Bool) { change { $0.isOuterSuspended = isSuspended } }

  private func change(_ body: (inout State) -> Void) {
    let works = state.withLock { state -> [UInt64] in
      if !state.isEnded { body(&state) }
      return state.works.keys.sorted()
    }
    for number in works { tell(number) }
    handOver()
  }

  /// The pause has gone. If it is shut, what waits is dropped: nobody could open it.
  func end() {
    var (turns, works) = state.withLock { state in
      state.isEnded = true
      if state.isShut { for turn in state.handedOver.values { state.turns.insert(turn) } }
      defer {
        state.works = [:]
        if state.isShut { (state.turns, state.handedOver) = (IndexedHeap(), [:]) }
      }
      return (state.turns, state.works.sorted { $0.key < $1.key }.map(\.value))
    }
    guard isDropped else { return }
    while let turn = turns.first { turns.remove(turn) }
    for work in works { work.drop() }
  }

  // MARK: Callbacks

  /// How many callbacks run inside one another at most.
  private static let nesting = 16
  /// How many callbacks a thread hands over that have arrived meanwhile.
  private static let patience = 1000

  /// Takes a callback, to begin in its turn.
  func enter(_ turn: PauseTurn) {
    state.withLock { state in
      if state.isDropped { return }
      turn.arrival = state.nextNumber()
      state.turns.insert(turn)
    }
    handOver()
  }

  /// Takes a callback out that need not begin any more.
  private func leave(_ turn: PauseTurn) {
    state.withLock { state in
      if !state.isDropped { state.turns.remove(turn) }
    }
  }

  /// Hands over what waits, until the pause is shut. If callbacks go on arriving, the rest is left to a global queue.
  private func handOver() {
    var last: PauseTurn?
    for _ in 0..<(waitingCount + PauseLine.patience) {
      guard let (turn, round) = state.withLock({ $0.nextTurn(after: last) }) else { return }
      let handOver = HandOver(turn.arrival, round, in: self)
      if turn.context.isNow { handOver.begin() } else { run(on: turn.context) { handOver.begin() } }
      last = turn
    }
    state.withLock { $0.leave(last) }
    run(on: .default) { self.handOver() }
  }

  /// A context has come to a callback: begins with it, or lets it wait once more.
  fileprivate func begin(_ arrival: UInt64, _ round: Int) {
    let turn = state.withLock { state -> PauseTurn? in
      guard let turn = state.take(arrival, round) else { return nil }
      if !state.isShut { return turn }
      state.takeBack(turn)
      return nil
    }
    turn?.work()
  }

  /// A context has let go of a callback.
  fileprivate func drop(_ arrival: UInt64, _ round: Int) {
    let turn = state.withLock { $0.take(arrival, round) }
    withExtendedLifetime(turn) {}
  }

  /// Runs code on a context, which may drop it.
  private func run(on context: PromiseContext, _ body: @escaping @Sendable () -> Void) {
    Promise<Void, Never>(fulfilled: ()).report(LibraryPart.self, on: context, gate: nil, .init { _ in body() })
  }

  /// The promise that a closure makes on a context when the pause lets it: right here, if that is now.
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
    guard !promise.isResolved, let number = attach(work, { cancellable.requestCancel() }) else { return }
    promise.whenOver { [weak self] _ in self?.detach(number) }
  }

  /// Takes work, to be told of each change.
  ///
  /// - Parameter drop: Called if the pause goes while it is shut.
  /// - Returns: What to detach it by; `nil` if the pause has gone in this way.
  func attach(_ work: any PromiseSuspendable, _ drop: @escaping @Sendable () -> Void) -> UInt64? {
    let number = state.withLock { state -> UInt64? in
      if state.isDropped { return nil }
      let number = state.nextNumber()
      state.works[number] = AttachedWork(work: work, drop: drop)
      return number
    }
    if let number { tell(number) } else { drop() }
    return number
  }

  func detach(_ number: UInt64) {
    let work = state.withLock { $0.works.removeValue(forKey: number) }
    withExtendedLifetime(work) {}
  }

  /// Tells work what is true, unless another thread does. Each round answers a change made during the one before.
  private func tell(_ number: UInt64) {
    var isMine = false
    while let (work, isShut) = state.withLock({ $0.news(for: number, after: &isMine) }) {
      if isShut { work.suspend() } else { work.resume() }
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
  /// How often it has waited: what its context has from before is void.
  fileprivate var round = 0
  var index: Int?
  var number: UInt64 = 0

  init(on context: PromiseContext, _ work: @escaping @Sendable () -> Void) {
    self.context = context
    self.work = work
  }

  func precedes(_ other: PauseTurn) -> Bool? { arrival < other.arrival }
}

/// The one reference to a callback that a context has: without it the callback could not begin any more, and so is dropped.
private final class HandOver: Sendable {
  private let arrival: UInt64
  private let round: Int
  private let line: PauseLine

  init(_ arrival: UInt64, _ round: Int, in line: PauseLine) {
    self.arrival = arrival
    self.round = round
    self.line = line
  }

  func begin() { line.begin(arrival, round) }

  deinit { line.drop(arrival, round) }
}

/// Work that is told of a pause.
private struct AttachedWork: Sendable {
  let work: any PromiseSuspendable
  let drop: @Sendable () -> Void
  /// What it has been told, or is being told.
  var isSuspended = false
  var isBeingTold = false
}
