@testable import Overmorrow
@testable import OvermorrowEngine

/// The events of a state word.
enum StateEvent: Hashable {
  case claim, adopt, take, push, handOut
  /// The drainer takes the waiters; or closes the list right before it starts the last one; or leaves newly registered
  /// waiters to another drainer.
  case drain, end, goOn
  case publish(Outcome)
  /// The only waiter is removed.
  case remove
}

/// A state word, together with the state of a simple promise: an array of waiters, and the holder of the claim.
struct StateModel: Hashable {
  enum Claim: Hashable {
    /// No producer has claimed the promise.
    case free
    /// A producer has it.
    case taken
    /// The core of the adopted promise has the claim.
    case lent
    /// It has been used up.
    case spent
  }

  /// The word under test, and the links that it told the waiters to store.
  private var bits = StateWord.empty(.pending).bits
  var word: StateWord {
    get { StateWord(bits: bits) }
    set { bits = newValue.bits }
  }
  var links: [UInt: UInt] = [:]

  // The model.
  var claim = Claim.free
  var outcome: Outcome?
  var isClosed = false
  /// The number of lists that the current drainer has taken.
  var drains = 0
  /// The number of drainers that have finished.
  var drainersGone = 0
  /// The waiters, in the order of registration.
  var waiting: [UInt] = []
  /// The waiters that the drainer has taken and not yet started.
  var batch: [UInt] = []
  var handedOut: [UInt] = []
  /// All waiters that were registered and not removed, in the order of registration.
  var registered: [UInt] = []
  /// Whether a waiter was registered while the drainer had others left to start.
  var hasNewcomer = false
  var pushes = 0
  /// A difference between the word and the model.
  var mistake: String?

  /// The word that represents the state of the model.
  var expected: StateWord {
    let phase: StateWord.Phase
    switch (outcome, claim) {
    case (.value, _): phase = .value
    case (.error, _): phase = .error
    case (.cancelled, _): phase = .cancelled
    case (nil, .free): phase = .pending
    case (nil, .lent): phase = .adopting
    case (nil, .taken), (nil, .spent): phase = .claimed
    }
    let list = isClosed ? StateWord.closedList : waiting.last ?? 0
    return StateWord(bits: phase.rawValue | list)
  }

  /// Whether the drainer may access the list.
  private var isDraining: Bool { outcome != nil && !isClosed }

  private var address: UInt { UInt(pushes + 1) * 64 }

  private mutating func check(_ isRight: Bool, _ what: String) { if !isRight { mistake = what } }

  /// Returns the state after an event, or `nil` if the event is impossible or would break an invariant.
  func after(_ event: StateEvent, pushing most: Int) -> StateModel? {
    var next = self
    switch event {
    case .claim: if next.changes(to: word.claiming(), if: claim == .free, "claiming") { next.claim = .taken }
    case .adopt:
      guard claim == .taken, outcome == nil else { return nil }
      next.word = word.adopting()
      next.claim = .lent
    case .take: if next.changes(to: word.taking(), if: claim == .lent, "taking") { next.claim = .taken }
    case .publish(let outcome):
      guard claim == .taken, self.outcome == nil else { return nil }
      next.doPublish(outcome)
    case .push:
      guard pushes < most else { return nil }
      next.doPush()
    case .drain:
      // A list is taken when all but the last waiter of the previous one have been started.
      guard isDraining, !waiting.isEmpty, drains == 0 || drains == 1 && batch.count <= 1 else { return nil }
      next.doDrain()
    case .end:
      // The drainer takes the only waiter with this change, or starts the last waiter that it took before.
      guard isDraining, drains == 0 || batch.count <= 1 else { return nil }
      next.doEnd()
    case .goOn:
      guard isDraining, drains == 2, batch.count <= 1, !waiting.isEmpty else { return nil }
      next.handedOut += batch
      next.batch = []
      next.drains = 0
      next.drainersGone += 1
    case .handOut:
      guard !batch.isEmpty else { return nil }
      next.handedOut.append(next.batch.removeFirst())
    case .remove: next.doRemove()
    }
    next.check(next.word == next.expected, "the word is \(next.word), not \(next.expected)")
    next.check(
      next.handedOut + next.batch + next.waiting == next.registered, "a waiter was lost, doubled, or out of its turn")
    next.check(!next.isClosed || next.batch.isEmpty, "the list was closed too early")
    return next
  }

  /// Applies a change if the word allows it, and checks whether the model allows it too.
  private mutating func changes(to new: StateWord?, if isAllowed: Bool, _ change: String) -> Bool {
    check((new != nil) == isAllowed, "\(change) was \(new == nil ? "refused" : "allowed")")
    word = new ?? word
    return new != nil
  }

  private mutating func doPublish(_ outcome: Outcome) {
    let (new, action) = word.publishing(outcome)
    check(action == (waiting.isEmpty ? .finished : .drain), "publishing said \(action)")
    word = new
    self.outcome = outcome
    claim = .spent
    isClosed = waiting.isEmpty
  }

  private mutating func doPush() {
    let waiter = address
    let (new, linking, action) = word.pushing(waiter)
    check(action == (isClosed ? .deliverYourself : .registered), "a push was \(action)")
    word = new
    pushes += 1
    guard action == .registered else { return }
    check(linking == waiting.last ?? 0, "the waiter was linked to \(linking)")
    links[waiter] = linking
    waiting.append(waiter)
    registered.append(waiter)
    if !batch.isEmpty { hasNewcomer = true }
  }

  private mutating func doDrain() {
    batch += following(word.list)
    word = word.handingOut()
    waiting = []
    drains += 1
  }

  private mutating func doEnd() {
    let new = word.closing(taking: drains == 0 ? waiting[0] : 0)
    guard changes(to: new, if: waiting.count == (drains == 0 ? 1 : 0), "closing") else { return }
    handedOut += waiting + batch
    (waiting, batch) = ([], [])
    isClosed = true
  }

  /// Follows the links as the drainer does; the list begins with the last waiter.
  private func following(_ list: UInt) -> [UInt] {
    var found: [UInt] = []
    var address = list
    while address != 0, found.count <= pushes {
      found.append(address)
      address = links[address] ?? 0
    }
    return found.reversed()
  }

  private mutating func doRemove() {
    // The thread that removes a waiter has seen that this waiter links to no other.
    guard let only = waiting.first, links[only] == 0,
      changes(to: word.removing(only), if: waiting.count == 1 && outcome == nil, "removing")
    else { return }
    links[only] = nil
    waiting = []
    registered.removeAll { $0 == only }
  }
}
