/// Whether somebody asked to cancel, and who is to be told when somebody does.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ a a a a … an address, or 0                  a │b│k k│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   kk = 00 upstream   the core that this one waits for, and has a vote on; 0 when there is none
///   kk = 01 asked      the request has been made, and whoever was to be told has been; the address is the core that
///                      this one still waits for, without a vote, or 0
///   kk = 10 handlers   the handler registered last, which leads to the earlier ones
///   kk = 11 closed     terminal: the promise is resolved, a request means nothing any more
///   b  = 1  borrowed   somebody is about to count what is there, and clears the bit within a few instructions
/// ```
///
/// # Diagram
///
/// ```
///             attaching             asking
///   NOBODY ◀───────────▶ UPSTREAM ─────────▶ ASKED   (attaching, adding: told at once)
///     │ │    detaching                         ▲  │
///     │ │                              asking  │  │ closing
///     │ │                                      │  ▼
///     │ │                                      │ CLOSED   (everything is refused)
///     │ └──────────────▶ HANDLERS ─────────────┘  ▲
///     │      adding         └─────────────────────┤ closing
///     └───────────────────────────────────────────┘
/// ```
///
/// # Invariants
///
/// - **R1** The address in the word owns what it points to: a count on the upstream core, or the handlers. Whoever
///   takes the address out of the word, and nobody else, runs or discards the handlers, or releases the count.
/// - **R2** A handler runs at most once, and never after the promise closed.
/// - **R3** Once asked, whatever is attached is told at once, by the one who attaches it. A vote is withdrawn by the one
///   who turns *upstream* into *asked*, or attaches to *asked*; so exactly once.
/// - **R4** Borrowed lasts for a few instructions of one thread, none of them the user's; others spin. It makes a count
///   from the word's count.
///
/// # Memory ordering
///
/// Every change is one compare-exchange: what was prepared before it was attached is seen by whoever takes it out (edge
/// E6). It is sequentially consistent, because of the producer that only looks whether there is anybody to forget: see
/// `CoreRef.closeRequests`.
///
/// # Races, told as stories
///
/// - *Cancel against delivery.* The canceller marks the word, counts the upstream core while it has borrowed the word,
///   and withdraws the vote with that count of its own. The deliverer takes the address out, before or after, and
///   releases the word's count.
/// - *Cancel against adoption.* If *asked* comes first, the adopter attaches to it, and withdraws its new vote itself.
///   If `attaching` comes first, the canceller finds the adopted core.
/// - *Cancel against a handler being registered.* Either the canceller takes it out with the list, or `adding` finds
///   *asked* and the registering thread runs it.
struct RequestWord: Equatable, Sendable {
  var bits: UInt

  init(bits: UInt) { self.bits = bits }

  enum Kind: UInt, Sendable {
    case upstream = 0b00
    case asked = 0b01
    case handlers = 0b10
    case closed = 0b11
  }

  static var borrowedBit: UInt { 0b100 }
  static var tagMask: UInt { 0b111 }

  static var nobody: RequestWord { RequestWord(bits: 0) }
  static var asked: RequestWord { RequestWord(bits: Kind.asked.rawValue) }
  static var closed: RequestWord { RequestWord(bits: Kind.closed.rawValue) }
  static func upstream(_ address: UInt) -> RequestWord { RequestWord(bits: address) }
  static func handlers(_ address: UInt) -> RequestWord { RequestWord(bits: address | Kind.handlers.rawValue) }

  var kind: Kind {
    switch bits & 0b011 {
    case 0b00: .upstream
    case 0b01: .asked
    case 0b10: .handlers
    default: .closed
    }
  }
  var address: UInt { bits & ~RequestWord.tagMask }
  var isBorrowed: Bool { bits & RequestWord.borrowedBit != 0 }
}

// MARK: - Pure transitions

extension RequestWord {
  /// What somebody who changed the word now has to deal with.
  enum Action: Equatable {
    /// Nothing to do.
    case nothing
    /// The word is borrowed: count this core, clear the bit, and withdraw the vote on it.
    case tellUpstream(UInt)
    /// The word is borrowed: put back what the promise still waits for, clear the bit, and run these handlers, in the
    /// order in which they were registered.
    case runHandlers(UInt)
    /// Forget these handlers.
    case discardHandlers(UInt)
    /// Release this core, on which there is no vote any more.
    case releaseUpstream(UInt)
    /// Release this core, on which there is still a vote.
    case forgetUpstream(UInt)
    /// The request was made before: tell the one just offered, at once. An upstream core has been attached.
    case tellAtOnce
    /// The promise is resolved: drop the one just offered.
    case refused
    /// Link the offered handler to this address, which is now behind it.
    case linked(UInt)
    /// The place is taken: by an upstream core, which is to become a handler first, or by handlers.
    case occupied(UInt)
    /// Somebody has borrowed the word: try again.
    case spin
  }

  /// Somebody asks to cancel.
  func asking() -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    switch kind {
    case .asked, .closed: return (self, .nothing)
    case .upstream:
      if address == 0 { return (.asked, .nothing) }
      return (RequestWord(bits: address | Kind.asked.rawValue | RequestWord.borrowedBit), .tellUpstream(address))
    case .handlers:
      return (RequestWord(bits: Kind.asked.rawValue | RequestWord.borrowedBit), .runHandlers(address))
    }
  }

  /// A core to wait for is offered.
  func attaching(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    switch kind {
    case .asked where address == 0: return (RequestWord(bits: upstream | Kind.asked.rawValue), .tellAtOnce)
    case .upstream where address == 0: return (.upstream(upstream), .nothing)
    case .asked, .upstream, .handlers: return (self, .occupied(address))
    case .closed: return (self, .refused)
    }
  }

  /// The core waited for has resolved, or is to be replaced.
  func detaching(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    if address != upstream { return (self, .nothing) }
    switch kind {
    case .upstream: return (.nobody, .forgetUpstream(upstream))
    case .asked: return (.asked, .releaseUpstream(upstream))
    case .handlers, .closed: return (self, .nothing)
    }
  }

  /// A handler is offered.
  func adding(_ handler: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    switch kind {
    case .asked: return (self, .tellAtOnce)
    case .closed: return (self, .refused)
    case .upstream: return address == 0 ? (.handlers(handler), .linked(0)) : (self, .occupied(address))
    case .handlers: return (.handlers(handler), .linked(address))
    }
  }

  /// The promise is resolved.
  func closing() -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    if address == 0 { return (.closed, .nothing) }
    switch kind {
    case .upstream: return (.closed, .forgetUpstream(address))
    case .asked: return (.closed, .releaseUpstream(address))
    case .handlers: return (.closed, .discardHandlers(address))
    case .closed: return (self, .nothing)
    }
  }

  /// The upstream core becomes a handler like the others.
  func replacing(_ upstream: UInt, by handler: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    guard kind == .upstream, address == upstream else { return (self, .refused) }
    return (.handlers(handler), .linked(0))
  }

  /// Somebody wants to count what the core waits for; `nil` when there is nothing.
  func borrowing() -> RequestWord? {
    guard kind != .closed, address != 0 else { return nil }
    return RequestWord(bits: bits | RequestWord.borrowedBit)
  }
}
