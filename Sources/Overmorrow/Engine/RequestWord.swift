/// Whether somebody asked to cancel, and who is to be told when somebody does.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ a a a a … an address, or 0                  a │b│k k│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   kk = 00 upstream   the core that this one waits for, and whose vote it holds; 0 when there is none
///   kk = 01 asked      terminal: the request has been made, and whoever was to be told has been
///   kk = 10 handlers   the handler registered last, which leads to the earlier ones
///   kk = 11 closed     terminal: the promise is resolved, a request means nothing any more
///   b  = 1  borrowed   somebody is looking at what is there and will put it back within a few instructions
/// ```
///
/// # Diagram
///
/// ```
///             attaching             asking
///   NOBODY ◀───────────▶ UPSTREAM ─────────▶ ASKED   (attaching, adding: told at once)
///     │ │    detaching      ▲ │                ▲  │
///     │ │           giving  │ │ borrowing      │  │ closing
///     │ │              back │ ▼                │  ▼
///     │ │              BORROWED        asking  │ CLOSED   (everything is refused)
///     │ └──────────────▶ HANDLERS ─────────────┘  ▲
///     │      adding         └─────────────────────┤ closing
///     └───────────────────────────────────────────┘
/// ```
///
/// # Invariants
///
/// - **R1** The address in the word owns what it points to: a count on the upstream core, or the handlers. Whoever
///   takes the address out of the word, and nobody else, withdraws the vote, runs or discards the handlers, and
///   releases. That is what makes each happen exactly once.
/// - **R2** A handler runs at most once, and never after the promise closed.
/// - **R3** Once asked, whatever is attached is told at once, by the one who attaches it.
/// - **R4** Borrowed lasts for two instructions of one thread; others spin. It exists only to look for cycles.
///
/// # Memory ordering
///
/// Every change is one compare-exchange: what was prepared before it was attached is seen by whoever takes it out (edge
/// E6). It is sequentially consistent, because of the producer that only looks whether there is anybody to forget: see
/// `CoreRef.closeRequests`.
///
/// # Races, told as stories
///
/// - *Cancel against delivery.* The canceller replaces the upstream by *asked*, the deliverer replaces it by *nobody*.
///   One of them gets the address, withdraws or forgets the vote, and releases the count.
/// - *Cancel against adoption.* If *asked* comes first, `attaching` is refused and the adopter withdraws its new vote
///   itself. If `attaching` comes first, the canceller finds the adopted core.
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
  /// What somebody who changed the word now owns and has to deal with.
  enum Action: Equatable {
    /// Nothing to do.
    case nothing
    /// Withdraw the vote on this core, and release it.
    case tellUpstream(UInt)
    /// Run these handlers, in the order in which they were registered.
    case runHandlers(UInt)
    /// Forget these handlers.
    case discardHandlers(UInt)
    /// Release this core; its vote does not matter any more.
    case releaseUpstream(UInt)
    /// The request was made before: tell the one just offered, at once.
    case tellAtOnce
    /// The promise is resolved: drop the one just offered.
    case refused
    /// Link the offered handler to this address, which is now behind it.
    case linked(UInt)
    /// The place is taken by an upstream core: turn it into a handler first.
    case occupied(UInt)
    /// Somebody has borrowed the upstream core: try again.
    case spin
  }

  /// Somebody asks to cancel.
  func asking() -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    switch kind {
    case .asked, .closed: return (self, .nothing)
    case .upstream: return (.asked, address == 0 ? .nothing : .tellUpstream(address))
    case .handlers: return (.asked, .runHandlers(address))
    }
  }

  /// A core to wait for is offered.
  func attaching(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    switch kind {
    case .asked: return (self, .tellAtOnce)
    case .closed: return (self, .refused)
    case .upstream: return address == 0 ? (.upstream(upstream), .nothing) : (self, .occupied(address))
    case .handlers: return (self, .occupied(address))
    }
  }

  /// The core waited for has resolved, or is to be replaced.
  func detaching(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    guard kind == .upstream, address == upstream else { return (self, .nothing) }
    return (.nobody, .releaseUpstream(upstream))
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
    switch kind {
    case .asked, .closed: return (.closed, .nothing)
    case .upstream: return (.closed, address == 0 ? .nothing : .releaseUpstream(address))
    case .handlers: return (.closed, .discardHandlers(address))
    }
  }

  /// The upstream core becomes a handler like the others.
  func replacing(_ upstream: UInt, by handler: UInt) -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .spin) }
    guard kind == .upstream, address == upstream else { return (self, .refused) }
    return (.handlers(handler), .linked(0))
  }

  /// Somebody wants to look at what the core waits for; `nil` when there is nothing.
  func borrowing() -> RequestWord? {
    guard kind == .upstream || kind == .handlers, address != 0 else { return nil }
    return RequestWord(bits: bits | RequestWord.borrowedBit)
  }
}
