/// The core that a core waits for, and whether a request to cancel was made.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ a a a a … an address, or 0                  a │q│k│k│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   kk = 00 upstream   the core that this one waits for, and has a vote on; 0 when there is none
///   kk = 01 asked      the request was made; the core that this one still waits for, without a vote, or 0
///   kk = 11 asking     the request was made, and the thread that made it is withdrawing the vote on the core at the
///                      address, by means of the word's count
///   kk = 10 moved      a `SideTable`, which holds all of this from now on; q = 1 once the request was made
/// ```
///
/// # Diagram
///
/// ```
///             attaching             asking        didWithdrawVote
///     NONE ◀───────────▶ UPSTREAM ─────────▶ ASKING ─────────▶ ASKED, without an address or with one
///            detaching                         └──────────────▶ ▲ (attaching: the caller withdraws its vote at once)
///                                                  detaching
///     any of these ─────────▶ MOVED, for the rest of the core's life
///                     movingToSideTable
/// ```
///
/// # Invariants
///
/// - **R1** The word owns what its address points to: a count on the upstream core, or a reference to the side table.
///   Only the thread that takes the address out of the word gets this count, with one exception. If a thread takes the
///   address out of *asking*, the count stays with the asking thread. The asking thread first withdraws the vote, and
///   then finds the word changed.
/// - **R2** A vote is withdrawn exactly once: by the thread that turns *upstream* into *asking*, or by the thread that
///   attaches to *asked*.
///
/// # Memory ordering
///
/// Every transition is one compare-exchange, so a thread that takes a core out sees everything that was done before the
/// core was attached (edge E6). The transition is sequentially consistent, because a publishing thread only reads
/// whether the word is empty (E7; see `CoreRef.publish`).
///
/// # Races
///
/// - *Cancel against delivery.* The canceller marks the word and withdraws the vote, using the word's count. The
///   deliverer takes the address out. If the address is taken out before the request, the canceller has nothing to
///   withdraw. If the address is taken out while the vote is being withdrawn, the canceller releases the count. If the
///   address is taken out afterwards, the deliverer releases the count.
/// - *Cancel against adoption.* If the request is first, the adopter attaches to *asked* and withdraws its new vote
///   itself. If `attaching` is first, the canceller finds the adopted core in the word.
struct LinkWord: Equatable, Sendable {
  var bits: UInt

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
  var isAsked: Bool { bits & 0b001 != 0 || hasSideTable && bits & LinkWord.sideTableAskedBit != 0 }
}

// MARK: - Pure transitions, of a word without a side table

extension LinkWord {
  // The next duty of the thread that changed the word. In each of these types, `useSideTable` means that the thread
  // makes the change in the side table.

  enum AskAction: Equatable {
    /// Nothing: the core waits for no other core, or the request was made before.
    case nothing
    /// Withdraw the vote on this core, using the word's count, and then apply `didWithdrawVote`.
    case withdraw(UInt)
    case useSideTable
  }

  enum WithdrawalAction: Equatable {
    /// Nothing: the word still has the count that the withdrawal used.
    case nothing
    /// Release this count, because another thread has taken the address out of the word meanwhile.
    case releaseCount
    case useSideTable
  }

  enum AttachAction: Equatable {
    /// Nothing: the core waits, and has a vote.
    case nothing
    /// Withdraw the vote on the core that was just attached, because the request was made earlier.
    case withdrawAtOnce
    case useSideTable
  }

  enum DetachAction: Equatable {
    /// Nothing: the word did not have the address, or the asking thread gets the count (R1).
    case nothing
    /// Take over the count on this core. If `hasVote` is `false`, the vote on the core has been withdrawn.
    case take(UInt, hasVote: Bool)
    case useSideTable
  }

  func asking() -> (word: LinkWord, action: AskAction) {
    switch kind {
    case .asked, .asking: (self, .nothing)
    case .upstream: address == 0 ? (LinkWord(.asked), .nothing) : (LinkWord(.asking, address), .withdraw(address))
    case .moved: (self, .useSideTable)
    }
  }

  /// Records that the vote on this upstream core has been withdrawn.
  func didWithdrawVote(_ upstream: UInt) -> (word: LinkWord, action: WithdrawalAction) {
    switch kind {
    case .moved: (self, .useSideTable)
    case .asking where address == upstream: (LinkWord(.asked, upstream), .nothing)
    case .upstream, .asked, .asking: (self, .releaseCount)
    }
  }

  func attaching(_ upstream: UInt) -> (word: LinkWord, action: AttachAction) {
    switch kind {
    case .moved: return (self, .useSideTable)
    case .asked where address == 0: return (LinkWord(.asked, upstream), .withdrawAtOnce)
    case .upstream where address == 0: return (.upstream(upstream), .nothing)
    case .upstream, .asked, .asking:
      preconditionFailure("a promise can wait for only one other promise at a time, found \(self)")
    }
  }

  /// Stops waiting for the given core. If the word contains another address, or none, changes nothing.
  func detaching(_ upstream: UInt) -> (word: LinkWord, action: DetachAction) {
    let isTaken = address == upstream && address != 0
    return switch kind {
    case .moved: (self, .useSideTable)
    case .upstream: isTaken ? (.none, .take(upstream, hasVote: true)) : (self, .nothing)
    case .asked: isTaken ? (LinkWord(.asked), .take(upstream, hasVote: false)) : (self, .nothing)
    case .asking: isTaken ? (LinkWord(.asked), .nothing) : (self, .nothing)
    }
  }

  /// Returns the word of a core whose state moves to the side table at this address.
  func movingToSideTable(_ sideTable: UInt) -> LinkWord {
    LinkWord(bits: LinkWord(.moved, sideTable).bits | (isAsked ? LinkWord.sideTableAskedBit : 0))
  }
}

extension LinkWord: CustomStringConvertible {
  var description: String { "\(kind)\(address == 0 ? "" : " of a core")\(isAsked ? ", asked" : "")" }
}
