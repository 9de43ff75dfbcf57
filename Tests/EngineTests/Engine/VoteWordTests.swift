import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The events of the votes on a promise.
enum VoteEvent: Hashable {
  /// A child with a vote is registered, requests cancellation, or ends without a request.
  case add
  case withdraw(Int)
  case forget(Int)
  /// A child is registered, unless the request is already being passed on.
  case join
  /// A child without a vote requests cancellation.
  case ask
  case seal, goUpWhileHeld, expose
  /// The callback of the step will not run.
  case suppress
  /// The side table keeps a copy of the resolver.
  case keep
}

/// A vote word, together with the sets that it represents.
struct VoteModel: Hashable {
  private var bits: UInt32 = 0
  private var word: VoteWord {
    get { VoteWord(bits: bits) }
    set { bits = newValue.bits }
  }

  /// The children that still want the result, by number.
  var wanting: Set<Int> = []
  var children = 0
  /// Whether a child has requested cancellation, with or without a vote.
  var hasAsked = false
  var isSealed = false
  var isPassing = false
  var isExposed = false
  var isSuppressed = false
  var isKeeping = false
  /// Whether a request has been passed on.
  var hasGoneUp = false
  /// A difference between the word and the model.
  var mistake: String?

  /// The rule of the contract (3.2, 3.4).
  var shouldGoUp: Bool { hasAsked && wanting.isEmpty && (isSealed || isPassing) }

  func after(_ event: VoteEvent, children most: Int) -> VoteModel? {
    var next = self
    var requestGoesUp: Bool?
    switch event {
    case .add:
      // No child can be registered after the last handle has been released.
      guard children < most, !isSealed else { return nil }
      next.word = word.adding()
      next.wanting.insert(children)
      next.children += 1
    case .join:
      guard children < most, !isSealed else { return nil }
      let hasJoined: Bool
      (next.word, hasJoined) = word.joining()
      if hasJoined == shouldGoUp { next.mistake = "a child joined after a request, or did not join before one" }
      if hasJoined {
        next.wanting.insert(children)
        next.children += 1
      }
    case .withdraw(let child):
      guard next.wanting.remove(child) != nil else { return nil }
      (next.word, requestGoesUp) = word.withdrawing()
      next.hasAsked = true
    case .forget(let child):
      guard next.wanting.remove(child) != nil else { return nil }
      (next.word, requestGoesUp) = word.forgetting()
    case .ask:
      (next.word, requestGoesUp) = word.asking()
      next.hasAsked = true
    case .seal:
      guard !isSealed else { return nil }
      (next.word, requestGoesUp) = word.sealing()
      next.isSealed = true
    case .goUpWhileHeld:
      // Set once, before the handle is shared.
      guard children == 0, !hasAsked, !isSealed else { return nil }
      next.word = word.goingUpWhileHeld()
      next.isPassing = true
    case .expose:
      guard !isSealed else { return nil }
      next.word = word.exposing()
      next.isExposed = true
    case .suppress:
      next.word = word.suppressing()
      next.isSuppressed = true
    case .keep:
      next.word = word.keepingResolver()
      next.isKeeping = true
    }
    next.check(requestGoesUp)
    return next
  }

  private mutating func check(_ requestGoesUp: Bool?) {
    if let requestGoesUp, requestGoesUp != shouldGoUp {
      mistake = "a request \(requestGoesUp ? "goes up" : "does not go up")"
    }
    if requestGoesUp == true { hasGoneUp = true }
    // A change affects only its own bits.
    let marks = [isSealed, hasAsked, isPassing, isExposed, isSuppressed, isKeeping]
    let expected = marks.enumerated().reduce(UInt32(wanting.count) << 8) { $0 | ($1.element ? 1 << $1.offset : 0) }
    if mistake == nil, bits != expected { mistake = "the word is \(word), not \(VoteWord(bits: expected))" }
  }
}

@Suite(.inTurn) struct VoteWordTests {
  @Test("the six marks and the number of votes of a word are independent")
  func layout() {
    for count in [0, 1, 2, 1000, (1 << 24) - 1] as [UInt32] {
      for marks in 0..<64 as Range<UInt32> {
        let word = VoteWord(bits: count << 8 | marks)
        #expect(word.count == count)
        #expect(word.isSealed == (marks & 1 != 0))
        #expect(word.hasAsked == (marks & 2 != 0))
        #expect(word.goesUpWhileHeld == (marks & 4 != 0))
        #expect(word.isExposed == (marks & 8 != 0))
        #expect(word.isSuppressed == (marks & 16 != 0))
        #expect(word.keepsResolver == (marks & 32 != 0))
      }
    }
  }

  @Test("withdrawing a vote that was never given traps, and names the word", arguments: ["withdrawn", "forgotten"])
  func traps(_ change: String) async throws {
    let result = try await ExitArgument.passing(change) {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let change = try ExitArgument.taken(String.self)
        if change == "withdrawn" {
          _ = VoteWord(bits: 0b0011).withdrawing()
        } else {
          _ = VoteWord(bits: 0b0001).forgetting()
        }
      }
    }
    #expect(hasSaid(result, "a vote that was never given was \(change)"))
  }

  @Test("3.14 one more than 16,777,215 pending children traps")
  func limit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      // The optimiser would remove an addition whose result is not used.
      print(VoteWord(bits: ((1 << 24) - 1) << 8).adding())
    }
    #expect(hasSaid(result, "a promise can have at most 16,777,215 pending children"))
  }

  // MARK: All sequences of events on the votes of up to four children

  private static let space = Exploration<VoteModel, VoteEvent>(
    from: VoteModel(),
    [.add, .join, .ask, .seal, .goUpWhileHeld, .expose, .suppress, .keep]
      + (0..<4).flatMap { [.withdraw($0), .forget($0)] }
  ) { $0.after($1, children: 4) }

  @Test("3.2 3.3 3.4 3.6 requests and children behave as in a model after every sequence of events")
  func agreement() {
    #expect(Self.space.firstWrongNode { node in node.mistake } == nil)
    #expect(Self.space.nodes.contains { $0.wanting.count == 4 && $0.isSealed })
    // Checks that the search covers the intended cases: each of these changes can be the one that passes on a request.
    let rising = Self.space.edges.filter { $0.to.hasGoneUp && !$0.from.hasGoneUp }
    for event in [.seal, .ask, .withdraw(3), .forget(3)] as [VoteEvent] {
      #expect(rising.contains { $0.event == event })
    }
    #expect(rising.contains { $0.from.isPassing && !$0.from.isSealed })
    // A child is refused after a request has been passed on, but not after one has only been made.
    let joins = Self.space.edges.filter { $0.event == .join && $0.from.hasAsked && $0.from.isPassing }
    #expect(Set(joins.map { $0.from.hasGoneUp && $0.to.children == $0.from.children }) == [false, true])
  }
}
