/// What a core waits for, and whether cancelling it has been requested.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ a a a a … an address, or 0                  a │q│k│k│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   kk = 00 upstream   the core that this one waits for, and has a vote on; 0 when there is none
///   kk = 01 asked      the request has been made; the core that this one still waits for, without a vote, or 0
///   kk = 11 asking     the request has been made, and the thread that made it is withdrawing the vote on the core at the
///                      address; it uses the word's count for that
///   kk = 10 tied       a `SideTable` object, which has all of this from now on; q = 1 once the request has been made
/// ```
///
/// # Diagram
///
/// ```
///             attaching             asking              told
///     NONE ◀───────────▶ UPSTREAM ─────────▶ ASKING ─────────▶ ASKED, without an address or with one
///            detaching                         └──────────────▶ ▲ (attaching: the caller withdraws its vote at once)
///                                                  detaching
///     any of these ─────────▶ TIED, for the rest of the core's life
///                     movingToSideTable
/// ```
///
/// # Invariants
///
/// - **R1** The address in the word owns what it points to: a count on the upstream core, or the object. The thread that
///   takes the address out of the word, and no other, owns the count. If it takes it out of *asking*, the count stays with
///   the thread that asks, which finds the word changed when it has withdrawn the vote.
/// - **R2** A vote is withdrawn by the thread that turns *upstream* into *asking*, or that attaches to *asked*: exactly once.
///
/// # Memory ordering
///
/// Every change is one compare-exchange: what was done before a core was attached is seen by the thread that takes it out
/// (edge E6). It is sequentially consistent, because a thread that publishes only looks whether the word is empty: see
/// `CoreRef.closeRequests` (E7).
///
/// # Races, told as stories
///
/// - *Cancel against delivery.* The canceller marks the word and withdraws the vote, with the word's count. The deliverer
///   takes the address out: before, and then the canceller has nothing to withdraw; meanwhile, and then the canceller releases
///   the count; or afterwards, and then the deliverer does.
/// - *Cancel against adoption.* If *asked* comes first, the adopter attaches to it, and withdraws its new vote itself.
///   If `attaching` comes first, the canceller finds the adopted core.
struct LinkWord: Equatable, Sendable {
  let bits: UInt

  enum Kind: UInt, Sendable {
    case upstream = 0b00
    case asked = 0b01
    case moved = 0b10
    case asking = 0b11
  }

  static var tagMask: UInt { 0b111 }
  static var sideTableAskedBit: UInt { 0b100 }
  static var none: LinkWord { LinkWord(bits: 0) }

  init(bits: UInt) { self.bits = bits }

  init(_ kind: Kind, _ address: UInt = 0) { bits = address | kind.rawValue }

  static func upstream(_ address: UInt) -> LinkWord { LinkWord(.upstream, address) }

  @inline(__always)
  var kind: Kind { Kind(rawValue: bits & 0b11) ?? .upstream }
  @inline(__always)
  var address: UInt { bits & ~LinkWord.tagMask }
  @inline(__always)
  var hasSideTable: Bool { bits & 0b11 == Kind.moved.rawValue }
  /// Whether the request has been made.
  var isAsked: Bool { bits & 0b001 != 0 || hasSideTable && bits & LinkWord.sideTableAskedBit != 0 }
}

// MARK: - Pure transitions, of a word that is not tied

extension LinkWord {
  /// What the thread that changed the word has to do now.
  enum Action: Equatable {
    case nothing
    /// Withdraw the vote on this core, with the word's count, and say so by `didWithdrawVote`.
    case withdraw(UInt)
    /// The caller owns the count on this core, on which there is no vote any more.
    case release(UInt)
    /// The caller owns the count on this core, and the vote.
    case forget(UInt)
    /// The request was made before: withdraw the vote on the core just attached.
    case withdrawAtOnce
    /// The object has the answer.
    case useSideTable
  }

  /// Cancelling is requested.
  func asking() -> (word: LinkWord, action: Action) {
    switch kind {
    case .asked, .asking: (self, .nothing)
    case .upstream: address == 0 ? (LinkWord(.asked), .nothing) : (LinkWord(.asking, address), .withdraw(address))
    case .moved: (self, .useSideTable)
    }
  }

  /// The vote on this core has been withdrawn.
  func didWithdrawVote(_ upstream: UInt) -> (word: LinkWord, action: Action) {
    switch kind {
    case .moved: (self, .useSideTable)
    case .asking where address == upstream: (LinkWord(.asked, upstream), .nothing)
    default: (self, .release(upstream))
    }
  }

  /// The core waits for another one from now on.
  func attaching(_ upstream: UInt) -> (word: LinkWord, action: Action) {
    switch kind {
    case .moved: return (self, .useSideTable)
    case .asked where address == 0: return (LinkWord(.asked, upstream), .withdrawAtOnce)
    case .upstream where address == 0: return (.upstream(upstream), .nothing)
    default: preconditionFailure("a promise waits for one other at a time, found \(self)")
    }
  }

  /// The core does not wait for this one any more.
  func detaching(_ upstream: UInt) -> (word: LinkWord, action: Action) {
    if hasSideTable { return (self, .useSideTable) }
    return address == upstream ? detachingAny() : (self, .nothing)
  }

  /// The core waits for nothing any more.
  func detachingAny() -> (word: LinkWord, action: Action) {
    switch kind {
    case .moved: (self, .useSideTable)
    case .upstream: (.none, address == 0 ? .nothing : .forget(address))
    case .asked: (LinkWord(.asked), address == 0 ? .nothing : .release(address))
    case .asking: (LinkWord(.asked), .nothing)
    }
  }

  /// The object at an address takes over.
  func movingToSideTable(_ sideTable: UInt) -> LinkWord {
    LinkWord(bits: LinkWord(.moved, sideTable).bits | (isAsked ? LinkWord.sideTableAskedBit : 0))
  }
}

extension LinkWord: CustomStringConvertible {
  var description: String { "\(kind)\(address == 0 ? "" : " of a core")\(isAsked ? ", asked" : "")" }
}
