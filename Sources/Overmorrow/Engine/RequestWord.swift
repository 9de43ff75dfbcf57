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
///   kk = 11 asking     the request has been made; the one who made it is about to take back the vote on the core at
///                      the address, and uses the word's count for that
///   b  = 1  borrowed   somebody makes a count from the word's; without an address: closed, the promise is resolved
/// ```
///
/// # Diagram
///
/// ```
///             attaching             asking              told
///   NOBODY ◀───────────▶ UPSTREAM ─────────▶ ASKING ─────────▶ ASKED   (attaching, adding: told at once)
///     │ │    detaching        │                  └──────────────▶ ▲
///     │ │                     └───────┐              detaching    │
///     │ └──────────────▶ HANDLERS ─────────────────────────────────┘
///     │      adding         │         │                asking     │
///     └─────────────────────┴─────────┴──────▶ CLOSED ◀────────────┘   (everything is refused)
///                                    closing
/// ```
///
/// # Invariants
///
/// - **R1** The address in the word owns what it points to: a count on the upstream core, or the handlers. Whoever
///   takes the address out of the word, and nobody else, runs or discards the handlers, or releases the count. Who takes
///   it out of *asking* leaves the count to the one who asks, who finds the word changed when it has told the core.
/// - **R2** A handler leaves the word once: to run, if the request came before the promise closed, and otherwise to be
///   discarded. One that is given a resolver leaves it only to a thread that has a resolver for it: see `VoteWord`.
/// - **R3** Once asked, whatever is attached is told at once, by the one who attaches it. A vote is withdrawn by the one
///   who turns *upstream* into *asking*, or attaches to *asked*; so exactly once.
/// - **R4** Borrowed lasts for a few instructions of a thread that holds a lock (`Borrowing`), none of them the user's: it
///   makes a count from the word's, or keeps the list of handlers. Who has to change the word meanwhile waits for that lock,
///   so that the thread which holds it inherits its priority. Asking a core that has no handlers waits for nobody.
///
/// # Memory ordering
///
/// Every change is one compare-exchange: what was prepared before it was attached is seen by whoever takes it out (edge
/// E6). It is sequentially consistent, because of the producer that only looks whether there is anybody to forget: see
/// `CoreRef.closeRequests`.
///
/// # Races, told as stories
///
/// - *Cancel against delivery.* The canceller marks the word and withdraws the vote, with the word's count. The deliverer
///   takes the address out: before, so that the canceller finds nobody to tell; or meanwhile, and then the canceller releases
///   the count; or afterwards, and then the deliverer does.
/// - *Cancel against adoption.* If *asked* comes first, the adopter attaches to it, and withdraws its new vote itself.
///   If `attaching` comes first, the canceller finds the adopted core.
/// - *Cancel against a handler being registered.* Either the canceller takes it out with the list, or `adding` finds
///   *asked* and the registering thread runs it.
/// - *Cancel an adopter that has handlers.* They are taken out with the vote among them, and the same change puts the adopted core
///   there, so that a cycle can be seen, and the adopter resumed, whatever the handlers do; the one with the vote takes
///   that back. The canceller has looked for it first, and again if the handlers are not the same any more. If they have
///   changed too often, it puts the core back afterwards: that may have resolved meanwhile, and so may the adopter, which
///   looks for it before it ends or is looked at afterwards; or a cycle may have been closed, so the canceller looks for one.
struct RequestWord: Equatable, Sendable {
  var bits: UInt

  init(bits: UInt) { self.bits = bits }

  enum Kind: UInt, Sendable {
    case upstream = 0b00
    case asked = 0b01
    case handlers = 0b10
    case asking = 0b11
    /// As it is spelt, without an address.
    case closed = 0b100
  }

  static var borrowedBit: UInt { 0b100 }
  static var tagMask: UInt { 0b111 }

  static var nobody: RequestWord { RequestWord(bits: 0) }
  static var asked: RequestWord { RequestWord(bits: Kind.asked.rawValue) }
  static var closed: RequestWord { RequestWord(bits: Kind.closed.rawValue) }
  static func upstream(_ address: UInt) -> RequestWord { RequestWord(bits: address) }
  static func asked(_ address: UInt) -> RequestWord { RequestWord(bits: address | Kind.asked.rawValue) }
  static func handlers(_ address: UInt) -> RequestWord { RequestWord(bits: address | Kind.handlers.rawValue) }

  var kind: Kind {
    switch bits & 0b011 {
    case 0b00: bits == Kind.closed.rawValue ? .closed : .upstream
    case 0b01: .asked
    case 0b10: .handlers
    default: .asking
    }
  }
  var address: UInt { bits & ~RequestWord.tagMask }
  var isBorrowed: Bool { bits & RequestWord.borrowedBit != 0 && address != 0 }
  /// Whether the request has been made, of a promise that has not closed since.
  var isAsked: Bool { bits & 0b001 != 0 }

  private func with(_ kind: Kind) -> RequestWord { RequestWord(bits: bits & ~0b011 | kind.rawValue) }
}

// MARK: - Pure transitions

extension RequestWord {
  /// What somebody who changed the word now has to deal with.
  enum Action: Equatable {
    /// Nothing to do.
    case nothing
    /// Withdraw the vote on this core, with the word's count, and say so by `told`.
    case tellUpstream(UInt)
    /// Look at the handlers, and ask again.
    case lookAtHandlers
    /// Run these handlers, in the order in which they were registered.
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
    /// Somebody has borrowed the word: wait for that, and try again.
    case wait

    /// Whether the word has to be changed, even to the same bits: those may be out of date, from another handler that was at
    /// the same address before.
    var isLinking: Bool { if case .linked = self { true } else { false } }
  }

  /// Somebody asks to cancel.
  func asking() -> (word: RequestWord, action: Action) {
    switch kind {
    case .asked, .asking, .closed: return (self, .nothing)
    case .upstream: return address == 0 ? (.asked, .nothing) : (with(.asking), .tellUpstream(address))
    case .handlers: return isBorrowed ? (self, .wait) : (.asked, .runHandlers(address))
    }
  }

  /// Somebody asks to cancel who has what these handlers need; none have the address 0. The list at an address never changes.
  ///
  /// - Parameter adopted: What the promise still waits for, without a vote, when the handlers are taken out; or 0.
  func asking(havingLookedAt handlers: UInt, thatKeep adopted: UInt) -> (word: RequestWord, action: Action) {
    if kind == .handlers, address != handlers { return (self, .lookAtHandlers) }
    let (word, action) = asking()
    return action == .runHandlers(handlers) ? (.asked(adopted), action) : (word, action)
  }

  /// The one who asked has withdrawn the vote on this core.
  func told(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    kind == .asking && address == upstream ? (with(.asked), .nothing) : (self, .releaseUpstream(upstream))
  }

  /// A core to wait for is offered.
  func attaching(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    switch kind {
    case .asked where address == 0: (.asked(upstream), .tellAtOnce)
    case .upstream where address == 0: (.upstream(upstream), .nothing)
    case .asked, .asking, .upstream, .handlers: (self, .occupied(address))
    case .closed: (self, .refused)
    }
  }

  /// The core waited for has resolved, or is to be replaced.
  func detaching(_ upstream: UInt) -> (word: RequestWord, action: Action) {
    if address != upstream { return (self, .nothing) }
    switch kind {
    case .handlers, .closed: return (self, .nothing)
    case .upstream, .asked, .asking: if isBorrowed { return (self, .wait) }
    }
    switch kind {
    case .upstream: return (.nobody, .forgetUpstream(upstream))
    case .asked: return (.asked, .releaseUpstream(upstream))
    default: return (.asked, .nothing)
    }
  }

  /// A handler is offered.
  func adding(_ handler: UInt) -> (word: RequestWord, action: Action) {
    switch kind {
    case .asked, .asking: (self, .tellAtOnce)
    case .closed: (self, .refused)
    case .upstream: address == 0 ? (.handlers(handler), .linked(0)) : (self, .occupied(address))
    case .handlers: isBorrowed ? (self, .wait) : (.handlers(handler), .linked(address))
    }
  }

  /// The promise is resolved.
  func closing() -> (word: RequestWord, action: Action) {
    if isBorrowed { return (self, .wait) }
    if address == 0 { return (.closed, .nothing) }
    switch kind {
    case .upstream: return (.closed, .forgetUpstream(address))
    case .asked: return (.closed, .releaseUpstream(address))
    case .handlers: return (.closed, .discardHandlers(address))
    case .asking, .closed: return (.closed, .nothing)
    }
  }

  /// The upstream core becomes a handler like the others.
  func replacing(_ upstream: UInt, by handler: UInt) -> (word: RequestWord, action: Action) {
    guard kind == .upstream, address == upstream else { return (self, .refused) }
    return isBorrowed ? (self, .wait) : (.handlers(handler), .linked(0))
  }

  /// Somebody wants to count what the core waits for; `nil` when there is nothing.
  func borrowing() -> RequestWord? {
    address == 0 ? nil : RequestWord(bits: bits | RequestWord.borrowedBit)
  }
}
