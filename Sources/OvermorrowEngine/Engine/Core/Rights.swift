/// One count on a core. The end of this value releases the count.
@usableFromInline
@frozen  // `discard self` in `leak` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
package struct Owned: ~Copyable, Sendable {
  @usableFromInline package let core: CoreRef

  /// Adds a count to those that keep the core.
  package init(_ core: CoreRef) {
    core.retain()
    self.core = core
  }

  /// Takes over an existing count, which must belong to nobody else.
  @unsafe
  init(taking core: CoreRef) { self.core = core }

  @inlinable
  deinit {
    // Unsafe: the count is this value's.
    unsafe core.release()
  }

  /// Runs code with the core, and keeps the count until the code returns. Without this function, a temporary value
  /// could end as soon as its `core` has been read.
  @inline(__always)
  func use<Result>(_ body: (CoreRef) -> Result) -> Result { body(core) }

  /// Gives the count away, to a word or a list.
  consuming func leak() -> CoreRef {
    let core = core
    discard self
    return core
  }
}

/// Counts on several cores. This type exists because an array cannot contain values of ``Owned``.
@usableFromInline
@safe
package struct OwnedCores: ~Copyable, Sendable {
  @usableFromInline package private(set) var all: [CoreRef] = []

  @usableFromInline
  package init() {}

  @usableFromInline
  package init(_ cores: [CoreRef]) {
    for core in cores { core.retain() }
    all = cores
  }

  package mutating func reserve(_ number: Int) { all.reserveCapacity(number) }

  deinit {
    // Unsafe: the counts are this value's.
    for core in all { unsafe core.release() }
  }

  package mutating func keep(_ count: consuming Owned) { all.append(count.leak()) }

  /// Takes over other counts.
  ///
  /// - Returns: The cores that the counts belong to.
  @discardableResult
  package mutating func keep(_ others: consuming OwnedCores) -> [CoreRef] {
    let cores = others.leak()
    all += cores
    return cores
  }

  private consuming func leak() -> [CoreRef] {
    let cores = all
    all = []
    return cores
  }
}

extension CoreRef {
  /// Adds a count. If the last count was released, returns `nil`. The caller holds the lock of the side table. Because
  /// the end of the core also takes this lock, the memory of the core still exists.
  func ownedIfAlive() -> Owned? {
    // Unsafe: the count that was just added.
    fields.count.change { $0 == 0 ? nil : ($0 + 1, ()) }.map { unsafe Owned(taking: self) }
  }
}

/// The right to resolve a core. It is given once (I3) and used once.
///
/// A claim has the pending count of its core. The transitions that give the claim return this value. Publication and
/// adoption consume it. If a claim were dropped, its promise would never resolve, so the end of an unused claim stops
/// the program.
@usableFromInline
@frozen  // `discard self` in `use` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
package struct Claim: ~Copyable {
  @usableFromInline let core: CoreRef

  /// Creates the claim after a change of a word has given the claim, together with a count, to the calling thread.
  @unsafe
  init(on core: CoreRef) { self.core = core }

  @inlinable
  deinit { rightWasDropped("the claim on a promise was dropped") }

  /// Ends this value. The calling function does to the core what the claim permits, and takes over the count.
  consuming func use() -> CoreRef {
    let core = core
    discard self
    return core
  }

  /// Gives the claim to the core that is about to be adopted. What remains is a waiter for that core.
  consuming func lend() -> Waiter {
    let core = use()
    var word = core.state
    while !core.replaceState(&word, by: word.adopting()) {}
    // Unsafe: the waiter gets the count, and is not in a list.
    return unsafe Waiter(of: core)
  }
}

extension CoreRef {
  /// Claims this step. Returns `true` to one caller only (I3).
  func isNowClaimed() -> Bool {
    var word = state
    while let claimed = word.claiming() { if replaceState(&word, by: claimed) { return true } }
    // The caller may release the core through an object's reference count, which ThreadSanitizer does not see. This
    // addition orders the caller's reads before the core's destruction (E5). Only the loser of a race performs the
    // addition.
    fields.count.add(0, ordering: .releasing)
    return false
  }

  /// Takes the claim of this adopting core. Returns `true` to one caller only (I3).
  func isNowTaken() -> Bool {
    var word = state
    while let claimed = word.taking() { if replaceState(&word, by: claimed) { return true } }
    return false
  }

  /// Takes the right to resolve this step for a thread that does not serve the step. The list of the source still
  /// contains the step and has a count on it, so the claim gets an additional count. The claim must be used to publish,
  /// not to adopt (`StateWord`, "Who may touch what").
  // Unsafe, both: the change of the word has given the claim to this thread.
  func claimFromSide() -> Claim? { isNowClaimed() ? unsafe claimWithNewCount() : nil }

  /// Takes the right to resolve this adopting core for a thread that does not serve the core. The claim must be used to
  /// publish, not to adopt.
  func takeAdoptedFromSide() -> Claim? { isNowTaken() ? unsafe claimWithNewCount() : nil }

  /// Creates the claim that this thread has just taken, with an additional count.
  @inline(__always)
  @unsafe
  private func claimWithNewCount() -> Claim { unsafe Claim(on: Owned(self).leak()) }
}

/// Stops the program. The return type is not `Never`, because the compiler adds code after the call in a `deinit`.
@usableFromInline
@inline(never)
func rightWasDropped(_ message: StaticString) { preconditionFailure("\(message)") }

/// The right to serve the waiters of a resolved core, and to close its list (`StateWord`, "Who may touch what").
///
/// The publication of a result gives this right if there are waiters. A drainer has the pending count of its core. If a
/// drainer were dropped, the remaining waiters would never be served, so the end of an unused drainer stops the
/// program.
@usableFromInline
@frozen  // `discard self` in `leave` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
struct Drainer: ~Copyable {
  @usableFromInline let core: CoreRef

  /// Creates the drainer after a publication, or takes it over from a list of the engine in which it was left.
  @unsafe
  init(of core: CoreRef) { self.core = core }

  deinit { rightWasDropped("the drainer of a promise was dropped") }

  /// The waiter registered last, which stays in the list. The list is not empty.
  @inline(__always)
  var newestWaiter: CoreRef {
    // Unsafe: only the drainer takes waiters out, and there is one.
    unsafe CoreRef(address: core.state.list)
  }

  /// Takes all waiters out of the list. Returns the waiter registered first, to which the others are linked in order.
  /// The list is not empty.
  func takeWaiters() -> CoreRef {
    var word = core.state
    while !core.replaceState(&word, by: word.handingOut()) {}
    // Unsafe: the list was taken out of the word, so its nodes belong to this thread (I4, E2).
    var node = unsafe CoreRef(address: word.list)
    var done: CoreRef?
    while let following = node.fields.next.value {
      node.fields.next.value = done
      done = node
      node = following
    }
    node.fields.next.value = done
    return node
  }

  /// Closes the list if `waiter` is its only waiter, and takes out `waiter`. If `waiter` is `nil`, closes the list if
  /// it is empty. In every other case, returns `false` and changes nothing.
  @inline(__always)
  func close(taking waiter: CoreRef? = nil) -> Bool {
    var word = core.state
    while let closed = word.closing(taking: waiter?.address ?? 0) {
      if core.replaceState(&word, by: closed) { return true }
    }
    return false
  }

  /// Releases the pending count after the list was closed.
  @inline(__always)
  consuming func releasePendingCount() {
    // Unsafe: the drainer's count.
    unsafe leave().release()
  }

  /// Leaves the right in a list of the engine, or to another thread.
  @inline(__always)
  consuming func leave() -> CoreRef {
    let core = core
    discard self
    return core
  }
}

/// The right to serve a step, or a core that adopts: the right of the owner of a list to a core that is in the list
/// (`StateWord`, "Who may touch what").
///
/// The code that makes a step has this right until it registers the step. Then the drainer of the source has the right,
/// and may leave it in a list of a pass or submit it to a context. A waiter has the pending count of its core. When the
/// waiter is served, it becomes a claim. If a waiter were dropped, its promise would never resolve, so the end of an
/// unused waiter stops the program.
@usableFromInline
@frozen  // `discard self` in `leave` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
struct Waiter: ~Copyable {
  @usableFromInline let core: CoreRef

  /// Creates the right, for the maker of a step or for the owner of the list that contains the core.
  @unsafe
  init(of core: CoreRef) { self.core = core }

  deinit { rightWasDropped("a waiter of a promise was dropped") }

  /// Leaves the right in a list of the engine, or to another thread.
  consuming func leave() -> CoreRef {
    let core = core
    discard self
    return core
  }

  /// Ends the right to a core that was resolved while it was in a list.
  consuming func releaseListCount() {
    let core = leave()
    core.takePlace().relinquish()
    // Unsafe: the list's count.
    unsafe core.release()
  }

  /// Takes the right to resolve this step (I3). If the step was resolved from elsewhere, ends the waiter and returns
  /// `nil`.
  consuming func claim() -> Claim? {
    guard core.isNowClaimed() else {
      releaseListCount()
      return nil
    }
    // Unsafe: only one thread makes this change. The claim gets the list's count.
    return unsafe Claim(on: leave())
  }

  /// Takes the right to resolve this adopting core (I3). If the core was resolved from elsewhere, ends the waiter and
  /// returns `nil`.
  consuming func takeAdopted() -> Claim? {
    guard core.isNowTaken() else {
      releaseListCount()
      return nil
    }
    // Unsafe: only one thread makes this change. The claim gets the list's count.
    return unsafe Claim(on: leave())
  }

  /// Returns whether only this right can ever lead to the step. Such a step has no handle, no request, no waiter, and
  /// no side table through which a token could find the step.
  @inline(__always)
  func isUnobserved(by source: CoreRef) -> Bool {
    // Acquiring: all uses by threads that have released a count come before this load. Relaxed: the only count is the
    // waiter's, so no other thread can change these words.
    core.fields.count.load(ordering: .acquiring) == 1
      && core.fields.state.load(ordering: .relaxed) == StateWord.empty(.pending).bits
      && core.fields.link.load(ordering: .relaxed) == LinkWord.upstream(source.address).bits
  }
}
