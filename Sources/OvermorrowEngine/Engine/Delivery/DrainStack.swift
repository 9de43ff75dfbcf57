/// The resolved cores that a pass will drain: a stack that needs no memory of its own.
///
/// A core is on top while its waiters are served, one by one. Serving a waiter may resolve other cores. These cores go
/// on top, and are drained before the next waiter is served. Before the last waiter that runs inside this pass is
/// served, its core is popped. So a chain does not grow the stack. Work that was deferred to the pass is not on the
/// stack, but each piece of it belongs above a core of the stack (`Deferred`).
///
/// ```
///   top ─▶ core C ──following──▶ waiter W ──below──▶ core B ──following──▶ core A ──following──▶ end
///                                   │ next                                   (A and B: not begun)
///                                   ▼
///                                waiter X … (what C has still to serve)
/// ```
///
/// The links are in the cores. `following` of a core belongs to the pass that drains the core. `belowInDrainStack` of a
/// waiter belongs to the owner of the waiter's list until the waiter is served (`StateWord`, "Who may touch what").
@safe
struct DrainStack {
  private(set) var top = Link.bottom

  /// A link to what follows a core: another core, or the core's own next waiter.
  struct Link: Equatable, Sendable {
    let bits: UInt

    enum Kind: UInt {
      /// No waiter of the core was served yet. The link leads to the core below.
      case begin = 0b00
      /// The link leads to the core's next waiter. The link of that waiter leads to the core below.
      case resume = 0b01
      /// The same as `resume`, for a waiter in the second list that was taken from the core.
      case resumeSecondList = 0b10
    }

    static var bottom: Link { Link(bits: 0) }

    init(bits: UInt) { self.bits = bits }

    @inline(__always)
    init(_ kind: Kind, _ core: CoreRef?) { bits = (core?.address ?? 0) | kind.rawValue }

    var kind: Kind { Kind(rawValue: bits & 0b11) ?? .begin }

    /// The core or the waiter that the link leads to; `nil` at the end.
    var core: CoreRef? {
      let address = bits & ~0b11
      // Unsafe: a link contains the address of a core, which the pass owns.
      return address == 0 ? nil : unsafe CoreRef(address: address)
    }
  }

  @inline(__always)
  var first: CoreRef? { top.core }

  // In these functions, the pass owns the cores on the stack and those of their waiters that were not served yet. Only
  // the thread of the pass uses these cores.

  /// Pushes a core of which no waiter was served yet.
  @inline(__always)
  mutating func push(_ drainer: consuming Drainer) {
    let core = drainer.leave()
    core.fields.following.value = Link(.begin, top.core).bits
    top = Link(.begin, core)
  }

  /// Pushes a core that will resume with a waiter.
  @inline(__always)
  mutating func push(_ drainer: consuming Drainer, resumingWith waiter: CoreRef, _ isSecondList: Bool) {
    let core = drainer.leave()
    waiter.belowInDrainStack = top.core
    core.fields.following.value = Link(isSecondList ? .resumeSecondList : .resume, waiter).bits
    top = Link(.begin, core)
  }

  /// A core that was popped: the right to drain it, the waiter to resume with, if there is one, and whether this waiter
  /// is in the second list.
  struct Popped: ~Copyable {
    let drainer: Drainer
    let waiter: CoreRef?
    let isSecondList: Bool
  }

  /// Pops the core on top.
  @inline(__always)
  mutating func pop(_ core: CoreRef) -> Popped {
    let (kind, waiter) = popLink(of: core)
    // Unsafe: `push` has left the drainer in the stack.
    return Popped(drainer: unsafe Drainer(of: core), waiter: waiter, isSecondList: kind == .resumeSecondList)
  }

  /// Pops the core on top, which was pushed by the function that calls this one.
  @inline(__always)
  mutating func takeBack(_ core: CoreRef) -> Drainer {
    _ = popLink(of: core)
    // Unsafe: `push` has left the drainer in the stack.
    return unsafe Drainer(of: core)
  }

  @inline(__always)
  private mutating func popLink(of core: CoreRef) -> (kind: Link.Kind, waiter: CoreRef?) {
    let link = Link(bits: core.fields.following.value)
    guard link.kind != .begin, let waiter = link.core else {
      top = Link(.begin, link.core)
      return (link.kind, nil)
    }
    top = Link(.begin, waiter.belowInDrainStack)
    // The scripts for debuggers take an address in this word for the source of a step that waits to run.
    waiter.belowInDrainStack = nil
    return (link.kind, waiter)
  }
}

extension CoreRef {
  /// In a waiter that a pass has still to serve, the next core of the drain stack, without a count.
  fileprivate var belowInDrainStack: CoreRef? {
    get { fields.sourceOrBelow.value }
    nonmutating set { fields.sourceOrBelow.value = newValue }
  }
}
