/// The resolved cores that a pass has to drain, the last one first: a stack that needs no memory of its own.
///
/// A core is on top while its waiters are served, one by one. What a waiter leaves behind goes on top of it, and is drained
/// before the next waiter has its turn. A core that has one waiter left is taken off before that is served, so that a chain
/// does not grow the stack.
///
/// ```
///   top ─▶ core C ──following──▶ waiter W ──source──▶ core B ──following──▶ core A ──following──▶ end
///                                   │ next                                    (A and B: not begun)
///                                   ▼
///                                waiter X … (what C has still to serve)
/// ```
///
/// The links are in the cores: `following` of a core belongs to the pass that drains it, and `source` of a waiter to the
/// owner of its list, until the waiter is served (`StateWord`, "Who may touch what").
@safe
struct DrainStack {
  private(set) var top = Link.end

  /// What comes after a core: another one, or its own next waiter.
  struct Link: Equatable, Sendable {
    let bits: UInt

    enum Kind: UInt {
      /// The core is to be begun; the link leads to the core below.
      case begin = 0b00
      /// The link leads to the core's next waiter, and that one to the core below.
      case resume = 0b01
      /// The same, in the second list of waiters that was taken from the core.
      case resumeSecondList = 0b10
    }

    /// Nothing below a core that is to be begun.
    static var end: Link { Link(bits: 0) }

    init(bits: UInt) { self.bits = bits }

    @inline(__always)
    init(_ kind: Kind, _ core: CoreRef?) { bits = (core?.address ?? 0) | kind.rawValue }

    var kind: Kind { Kind(rawValue: bits & 0b11) ?? .begin }

    /// The core or the waiter that the link leads to; `nil` at the end.
    var core: CoreRef? {
      let address = bits & ~0b11
      return address == 0 ? nil : CoreRef(address: address)
    }
  }

  /// The core that is to be drained next.
  @inline(__always)
  var first: CoreRef? { top.core }

  // In these, the pass owns the cores on its drainStack, and the waiters that they have still to serve; only its
  // thread sees them.

  /// Puts a core on top, to be begun.
  @inline(__always)
  mutating func push(_ core: CoreRef) {
    core.fields.following.value = Link(.begin, top.core).bits
    top = Link(.begin, core)
  }

  /// Puts a core on top that goes on with a waiter, above what is on top.
  @inline(__always)
  mutating func push(_ core: CoreRef, resumingWith waiter: CoreRef, _ isSecondList: Bool) {
    waiter.fields.source.value = top.core
    core.fields.following.value = Link(isSecondList ? .resumeSecondList : .resume, waiter).bits
    top = Link(.begin, core)
  }

  /// Takes the core on top off.
  ///
  /// - Returns: What is to be done with it; the waiter to go on with, if that is it.
  @inline(__always)
  mutating func pop(_ core: CoreRef) -> (kind: Link.Kind, waiter: CoreRef?) {
    let link = Link(bits: core.fields.following.value)
    guard link.kind != .begin, let waiter = link.core else {
      top = Link(.begin, link.core)
      return (link.kind, nil)
    }
    top = Link(.begin, waiter.fields.source.value)
    return (link.kind, waiter)
  }

  /// Puts several cores on top, the first one of them first.
  mutating func push(_ batch: Batch) {
    guard let head = batch.head, let tail = batch.tail else { return }
    tail.fields.following.value = top.bits
    top = Link(.begin, head)
  }

  /// Cores to be begun one after the other.
  @safe
  struct Batch {
    fileprivate var head: CoreRef?
    fileprivate var tail: CoreRef?

    mutating func append(_ core: CoreRef) {
      core.fields.following.value = Link.end.bits
      if let tail {
        tail.fields.following.value = Link(.begin, core).bits
      } else {
        head = core
      }
      tail = core
    }

    func collect(into cores: inout [CoreRef]) {
      var drainStack = DrainStack()
      if head != nil { drainStack.top = Link(.begin, head) }
      drainStack.collect(into: &cores)
    }
  }

  /// All the cores, from the top.
  func collect(into cores: inout [CoreRef]) {
    var rest = self
    while let core = rest.first {
      cores.append(core)
      _ = rest.pop(core)
    }
  }
}
