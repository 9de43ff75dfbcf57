import Testing

@testable import Overmorrow

/// What can happen to the votes on a promise.
enum VoteEvent: Hashable {
  /// A child with a vote comes, asks to cancel, or goes without asking.
  case add
  /// A child comes unless the request is on its way up.
  case join
  case withdraw(Int)
  case forget(Int)
  /// A child without a vote asks to cancel.
  case ask
  case seal, passOnWhileHeld, expose
  /// The resolvers go, and the side table keeps their claim.
  case wait
}

/// A vote word beside the sets that it stands for.
struct VoteModel: Hashable {
  private var bits: UInt32 = 0
  var word: VoteWord {
    get { VoteWord(bits: bits) }
    set { bits = newValue.bits }
  }

  /// The children that still want the result, by number.
  var wanting: Set<Int> = []
  var children = 0
  /// Whether a child has asked, whether it had a vote or not.
  var hasAsked = false
  var isSealed = false
  var isPassing = false
  var isExposed = false
  /// The resolvers are gone, and their claim waits for a request.
  var isWaiting = false
  /// Whether a request has gone up.
  var hasPassedOn = false
  /// What the word did otherwise than the model.
  var mistake: String?

  /// The sentence of the contract (3.2, 3.4).
  var shouldPassOn: Bool { hasAsked && wanting.isEmpty && (isSealed || isPassing) }

  func after(_ event: VoteEvent, children most: Int) -> VoteModel? {
    var next = self
    var passesOn: Bool?
    switch event {
    case .add:
      // No child can be registered once the last handle is gone.
      guard children < most, !isSealed else { return nil }
      next.word = word.adding()
      next.wanting.insert(children)
      next.children += 1
    case .join:
      guard children < most, !isSealed else { return nil }
      let hasJoined: Bool
      (next.word, hasJoined) = word.joining()
      if hasJoined == shouldPassOn { next.mistake = "joining after a request, or not before" }
      if hasJoined {
        next.wanting.insert(children)
        next.children += 1
      }
    case .withdraw(let child):
      guard next.wanting.remove(child) != nil else { return nil }
      (next.word, passesOn) = word.withdrawing()
      next.hasAsked = true
    case .forget(let child):
      guard next.wanting.remove(child) != nil else { return nil }
      (next.word, passesOn) = word.forgetting()
    case .ask:
      (next.word, passesOn) = word.asking()
      next.hasAsked = true
    case .seal:
      guard !isSealed else { return nil }
      (next.word, passesOn) = word.sealing()
      next.isSealed = true
    case .passOnWhileHeld:
      // Said once, before the handle is shared.
      guard children == 0, !hasAsked, !isSealed else { return nil }
      next.word = word.passingOnWhileHeld()
      next.isPassing = true
    case .expose:
      guard !isSealed else { return nil }
      next.word = word.exposing()
      next.isExposed = true
    case .wait:
      guard !isWaiting else { return nil }
      next.word = word.waitingForRequest()
      next.isWaiting = true
    }
    if next.word.canNeverBeAsked != (next.isWaiting && next.isSealed && next.wanting.isEmpty) {
      next.mistake = "forlorn: \(next.word.canNeverBeAsked)"
    }
    next.check(passesOn)
    return next
  }

  private mutating func check(_ passesOn: Bool?) {
    if let passesOn, passesOn != shouldPassOn {
      mistake = "\(passesOn ? "passes" : "does not pass") a request on"
    }
    if passesOn == true { hasPassedOn = true }
    let found = [
      Int(word.count), word.hasAsked ? 1 : 0, word.isSealed ? 1 : 0, word.passesOnWhileHeld ? 1 : 0,
    ]
    let expected = [wanting.count, hasAsked ? 1 : 0, isSealed ? 1 : 0, isPassing ? 1 : 0]
    if mistake == nil, found != expected || word.isExposed != isExposed || word.waitsForRequest != isWaiting {
      mistake = "the word is \(word)"
    }
  }
}

/// All that can happen to the votes of up to four children, in every order.
@Suite(.inTurn) struct VoteWordExplorationTests {
  static let events: [VoteEvent] =
    [.add, .join, .ask, .seal, .passOnWhileHeld, .expose, .wait]
    + (0..<4).flatMap { [.withdraw($0), .forget($0)] }

  static let space = Exploration<VoteModel, VoteEvent>(from: VoteModel()) { node in
    events.compactMap { event in node.after(event, children: 4).map { (event, $0) } }
  }

  @Test("the word says what sets of children say, after every sequence of events")
  func agreement() {
    #expect(Self.space.firstWrongNode { node in node.mistake } == nil)
    #expect(Self.space.nodes.contains { $0.wanting.count == 4 && $0.isSealed })
  }

  @Test(
    "3.2 a request goes up in the very change that lets the last of handle and interest go, and never before"
  )
  func exactly() {
    let wrong = Self.space.firstWrongEdge { edge in
      let isDue = edge.to.shouldPassOn && !edge.from.shouldPassOn
      if isDue, !edge.to.hasPassedOn { return "no request went up" }
      return !edge.from.hasPassedOn && edge.to.hasPassedOn && !isDue
        ? "a request went up too early" : nil
    }
    #expect(wrong == nil)
    #expect(
      Self.space.edges.contains { $0.event == .seal && $0.to.hasPassedOn && !$0.from.hasPassedOn })
    #expect(
      Self.space.edges.contains {
        $0.event == .withdraw(3) && $0.to.hasPassedOn && !$0.from.hasPassedOn
      })
  }

  @Test("3.2 a promise that still has a handle, or never had a child, is left alone")
  func leftAlone() {
    let passed = Self.space.nodes.filter(\.hasPassedOn)
    #expect(passed.allSatisfy { $0.isSealed || $0.isPassing })
    #expect(passed.allSatisfy { $0.hasAsked })
    let childless = Self.space.edges.filter {
      $0.event == .seal && $0.from.children == 0 && !$0.from.hasAsked
    }
    #expect(!childless.isEmpty)
    #expect(childless.allSatisfy { !$0.to.hasPassedOn })
  }

  @Test("3.3 a child without a vote that asks has its way only when no vote is left")
  func onCancelAsks() {
    let asks = Self.space.edges.filter {
      $0.event == .ask && !$0.from.hasPassedOn && $0.from.isSealed
    }
    #expect(asks.contains { $0.to.hasPassedOn })
    #expect(asks.allSatisfy { $0.to.hasPassedOn == $0.from.wanting.isEmpty })
  }

  @Test("3.6 a child joins a promise that passes on while held exactly as long as no request has gone up")
  func joining() {
    let joins = Self.space.edges.filter { $0.event == .join && $0.from.isPassing }
    #expect(joins.contains { $0.from.hasAsked && $0.to.children > $0.from.children })
    let refused = joins.filter { $0.to.children == $0.from.children }
    #expect(!refused.isEmpty)
    #expect(refused.allSatisfy { $0.from.hasPassedOn })
  }

  @Test("3.4 with passing on while held, the last withdrawal goes up though a handle exists")
  func whileHeld() {
    let held = Self.space.edges.filter {
      $0.from.isPassing && !$0.from.isSealed && !$0.from.hasPassedOn
    }
    let last = held.filter {
      if case .withdraw = $0.event { $0.from.wanting.count == 1 } else { false }
    }
    #expect(!last.isEmpty)
    #expect(last.allSatisfy { $0.to.hasPassedOn })
  }
}
