@testable import Overmorrow
@testable import OvermorrowEngine

/// The events of a link word. Cores are attached one after another and are identified by their numbers.
enum LinkEvent: Hashable {
  /// Cancelling is requested.
  case ask
  /// The asking thread withdraws the vote, and then records that in the word.
  case withdraw, tell
  case attach
  case detach(Int)
  case close
  /// The core gets a side table, for a handler or for a search for cycles.
  case makeSideTable
}

/// A link word and the state in the side table, together with a simple account of every core that was ever attached.
struct LinkModel: Hashable {
  enum Vote { case held, withdrawn, forgotten }
  enum Count { case linked, withAsker, released }
  struct Core: Hashable {
    var vote: Vote
    var count = Count.linked
  }
  /// The asking thread, which uses the count that the link owns, or has a count of its own.
  struct Asker: Hashable {
    let core: Int
    let isLent: Bool
    var hasWithdrawn = false
  }
  /// Corresponds to `SideTable.State`.
  struct SideTable: Hashable {
    var core: Int?
    var hasVote = false
    var isLent = false
    var isClosed = false
  }

  private var bits = LinkWord.none.bits
  var word: LinkWord { LinkWord(bits: bits) }
  var sideTable: SideTable?
  var cores: [Core] = []
  var asker: Asker?
  var requests = 0
  var isAsked = false
  var isClosed = false
  var mistake: String?

  private static let sideTableAddress: UInt = 1 << 20
  static func address(of core: Int) -> UInt { UInt(core + 1) * 64 }

  var linked: Int? { cores.firstIndex { $0.count == .linked } }

  var expected: LinkWord {
    if sideTable != nil {
      return LinkWord(bits: LinkWord(.moved, Self.sideTableAddress).bits | (isAsked ? LinkWord.sideTableAskedBit : 0))
    }
    let address = linked.map(Self.address) ?? 0
    let isBeingAsked = linked != nil && asker?.core == linked
    return LinkWord(isAsked ? isBeingAsked ? .asking : .asked : .upstream, address)
  }

  private mutating func check(_ isRight: Bool, _ what: String) { if !isRight { mistake = mistake ?? what } }

  private mutating func change<Action>(_ change: (word: LinkWord, action: Action)) -> Action {
    bits = change.word.bits
    return change.action
  }

  /// Returns the state after an event, or `nil` if the event is impossible.
  func after(_ event: LinkEvent) -> LinkModel? {
    var next = self
    switch event {
    case .ask:
      guard requests < 2 else { return nil }
      next.ask()
    case .withdraw:
      guard let asker, !asker.hasWithdrawn else { return nil }
      next.check(!asker.isLent || cores[asker.core].count != .released, "a released core is used")
      next.endVote(asker.core, as: .withdrawn)
      next.asker?.hasWithdrawn = true
    case .tell:
      guard let asker, asker.hasWithdrawn else { return nil }
      next.tell(asker)
    case .attach:
      guard cores.count < 2, linked == nil, !isClosed else { return nil }
      next.attach()
    case .detach(let core):
      guard core < cores.count else { return nil }
      next.take(core, next.change(word.detaching(Self.address(of: core))))
    case .close:
      guard !isClosed else { return nil }
      next.take(linked, next.change(word.detaching(word.address)))
      next.sideTable?.isClosed = true
      next.isClosed = true
    case .makeSideTable:
      guard sideTable == nil else { return nil }
      next.sideTable = SideTable(
        core: linked, hasVote: word.kind == .upstream && linked != nil, isLent: word.kind == .asking)
      next.bits = word.movingToSideTable(Self.sideTableAddress).bits
    }
    next.check(next.word == next.expected, "the word is \(next.word), not \(next.expected)")
    next.check(
      next.sideTable == nil || next.sideTable?.core == next.linked,
      "the side table does not have the core that is linked")
    return next
  }

  private mutating func ask() {
    requests += 1
    switch change(word.asking()) {
    case .withdraw(let address):
      check(linked.map(Self.address) == address, "a request withdraws the vote from another core")
      asker = linked.map { Asker(core: $0, isLent: true) }
    case .useSideTable:
      if isAsked || sideTable?.isClosed == true { return }
      bits |= LinkWord.sideTableAskedBit
      if let core = sideTable?.core, sideTable?.hasVote == true { asker = Asker(core: core, isLent: false) }
      sideTable?.hasVote = false
    case .nothing: check(isAsked || linked == nil, "asking withdrew no vote")
    }
    isAsked = true
  }

  private mutating func tell(_ asker: Asker) {
    self.asker = nil
    // A count of its own is only released.
    guard asker.isLent else { return }
    switch change(word.didWithdrawVote(Self.address(of: asker.core))) {
    case .nothing:
      check(
        cores[asker.core].count == .linked, "the lent count belongs neither to the link nor to the requesting thread")
    case .useSideTable where sideTable?.core == asker.core && sideTable?.isLent == true: sideTable?.isLent = false
    case .useSideTable, .releaseCount: release(asker.core, from: .withAsker)
    }
  }

  private mutating func attach() {
    let core = cores.count
    switch change(word.attaching(Self.address(of: core))) {
    case .nothing: check(!isAsked, "attaching after a request did not withdraw the vote")
    case .withdrawAtOnce: check(isAsked, "attaching before a request withdrew the vote")
    case .useSideTable: sideTable = SideTable(core: core, hasVote: !isAsked)
    }
    cores.append(Core(vote: isAsked ? .withdrawn : .held))
  }

  /// Takes a core out of the link, if the link has this core.
  private mutating func take(_ core: Int?, _ action: LinkWord.DetachAction) {
    switch action {
    case .nothing:
      guard let core, core == linked else { return }
      check(asker?.core == core && asker?.isLent == true, "a core is lost")
      cores[core].count = .withAsker
    case .take(let address, let hasVote):
      guard let core, Self.address(of: core) == address else { return check(false, "another core was removed") }
      if hasVote { endVote(core, as: .forgotten) }
      release(core, from: .linked)
    case .useSideTable:
      guard let core, let taken = sideTable, taken.core == core else { return }
      sideTable = SideTable(isClosed: taken.isClosed)
      if taken.hasVote { endVote(core, as: .forgotten) }
      if taken.isLent { cores[core].count = .withAsker } else { release(core, from: .linked) }
    }
  }

  private mutating func endVote(_ core: Int, as end: Vote) {
    check(cores[core].vote == .held, "a vote was \(end) after it was \(cores[core].vote)")
    cores[core].vote = end
  }

  private mutating func release(_ core: Int, from owner: Count) {
    check(cores[core].count == owner, "a count was given back that was \(cores[core].count)")
    cores[core].count = .released
  }
}
