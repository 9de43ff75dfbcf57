/// One generation of an invalidation token: open until the token is invalidated, then shut for good.
///
/// Callbacks keep the gate, not the token, so that nothing pending keeps a token alive. A token that is invalidated
/// takes a new gate for the callbacks to come. A callback with several tokens has a gate of its own, which is shut when
/// one of theirs is.
///
/// The gate lists what goes when it is shut, and owns it: the callbacks that have not run, and the links to gates of
/// several tokens. Whoever takes a member out of the list has it for itself. One change shuts the gate and takes them all.
@usableFromInline
final class Gate: Sendable {
  private struct Members {
    var first: GateMember?
    unowned(unsafe) var last: GateMember?
    var isShut = false
  }

  private let shut = Atomic(false)
  private let others: [Gate]
  private let members = Guarded(Members())
  private let links = Guarded<[GateLink]>([])
  /// The steps through which a promise of several others waits for them. It has no callback, and the gate is never shut.
  let steps: WaitingSteps?

  /// The gate of a token.
  init() {
    others = []
    steps = nil
  }

  /// A gate that counts as shut as soon as one of several is.
  init(_ others: [Gate]) {
    self.others = others
    steps = nil
    let links = others.map { GateLink(to: self, from: $0) }
    self.links.withLock { $0 = links }
    for link in links where !link.enter() { _ = close() }
  }

  /// A gate in the core of a promise that waits through these steps.
  init(waitingThrough steps: WaitingSteps) {
    others = []
    self.steps = steps
  }

  deinit {
    for link in links.withLock({ $0 }) { _ = link.leave() }
  }

  /// Whether callbacks that were registered with this gate are suppressed.
  var isShut: Bool { shut.load(ordering: .acquiring) || others.contains(where: \.isShut) }

  /// Suppresses them all. What the caller did before is seen by whoever finds the gate shut.
  ///
  /// - Returns: What goes now, to be dropped when the caller has no lock.
  func close() -> GateMember.Chain {
    members.withLock { members in
      shut.store(true, ordering: .releasing)
      members.isShut = true
      defer {
        members.first = nil
        unsafe members.last = nil
      }
      return GateMember.Chain(first: members.first)
    }
  }

  /// Puts a member into the list; `false` if the gate has been shut.
  fileprivate func add(_ member: GateMember) -> Bool {
    members.withLock { members in
      if members.isShut { return false }
      // Unsafe: the last one is in the list, which owns it.
      member.enter(behind: unsafe members.last)
      if members.first == nil { members.first = member }
      unsafe members.last = member
      return true
    }
  }

  /// Takes a member out of the list; `false` if it is not there any more, as the gate has been shut.
  fileprivate func remove(_ member: GateMember) -> Bool {
    members.withLock { members in
      if members.isShut || !member.isListed { return false }
      if member.isFirst { members.first = member.next }
      // Unsafe: as above.
      if unsafe members.last === member { unsafe members.last = member.previous }
      member.leaveNeighbours()
      return true
    }
  }
}

/// What a gate lists. Each owns the next one.
@usableFromInline
class GateMember: @unchecked Sendable {
  // Sendable: the links and the mark are behind the lock of the gate, until the chain has been taken out of it.

  fileprivate let gate: Gate
  fileprivate private(set) var isListed = false
  fileprivate private(set) var next: GateMember?
  fileprivate private(set) unowned(unsafe) var previous: GateMember?

  @usableFromInline
  init(_ gate: Gate) { self.gate = gate }

  /// Enters the list; `false` if the gate has been shut.
  @usableFromInline
  final func enter() -> Bool { gate.add(self) }

  /// Leaves the list; `false` if the gate has been shut.
  @usableFromInline
  final func leave() -> Bool { gate.remove(self) }

  /// The gate has been shut, with this member in its list: lets go of what is suppressed, and says what has been.
  func drop(into dropped: inout [GateMember]) {}

  /// Ends the step whose callback has been dropped, if nobody can see that. Called once after `drop`, when whoever is to be
  /// asked to cancel has been.
  func endStep() {}

  // Unsafe, in these: the one in front is in the list, which owns it, and owns this one; or there is none.

  fileprivate final var isFirst: Bool { unsafe previous == nil }

  fileprivate final func enter(behind previous: GateMember?) {
    previous?.next = self
    unsafe self.previous = previous
    isListed = true
  }

  fileprivate final func leaveNeighbours() {
    let previous = unsafe self.previous
    unsafe next?.previous = previous
    previous?.next = next
    next = nil
    unsafe self.previous = nil
    isListed = false
  }

  /// All members that a gate had when it was shut, in the order of registration.
  struct Chain: Sendable {
    fileprivate var first: GateMember?

    /// Lets go of what is suppressed, one after the other.
    ///
    /// - Returns: Whose steps may end now.
    consuming func drop() -> [GateMember] {
      var dropped: [GateMember] = []
      var member = first
      first = nil
      while let current = member {
        member = current.next
        current.next = nil
        current.drop(into: &dropped)
      }
      return dropped
    }
  }
}

/// Shuts the gate of several tokens when that of one of them is.
private final class GateLink: GateMember, @unchecked Sendable {
  // Sendable: a weak reference that never changes.
  private weak let several: Gate?

  init(to several: Gate, from gate: Gate) {
    self.several = several
    super.init(gate)
  }

  override func drop(into dropped: inout [GateMember]) { dropped += several?.close().drop() ?? [] }
}

extension [PromiseInvalidationToken] {
  /// What a callback with all these tokens has to look at, and one more token if there is one.
  @usableFromInline
  func gate(with token: PromiseInvalidationToken?) -> Gate? {
    guard let first else { return token?.gate }
    if count == 1, token == nil || token == first { return first.gate }
    return Gate(map(\.gate) + (token.map { [$0.gate] } ?? []))
  }
}
