/// The right to resolve a core. It is given once (I3) and used once.
///
/// A claim has the pending count of its core. The transitions that give the claim return this value. Publication and
/// adoption consume it. If a claim were dropped, its promise would never resolve, so the end of an unused claim stops
/// the program.
@usableFromInline
@frozen  // `discard self` in `use` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
struct Claim: ~Copyable {
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
    _ = core.updateState { ($0.adopting(), ()) }
    // Unsafe: the waiter gets the count, and is not in a list.
    return unsafe Waiter(of: core)
  }
}

extension Claim {
  /// Creates the claim after a change of the state word has given it to the calling thread, and adds a count.
  fileprivate init(counting core: CoreRef) {
    core.retain()
    // Unsafe: the count that was just added.
    unsafe self.init(on: core)
  }
}

extension CoreRef {
  /// Claims this step. Returns `true` to one caller only (I3).
  func isNowClaimed() -> Bool {
    if updateState({ word in word.claiming().map { ($0, true) } }) == true { return true }
    // The caller may release the core through an object's reference count, which ThreadSanitizer does not see. This
    // addition orders the caller's reads before the core's destruction (E5). Only the loser of a race performs the
    // addition.
    fields.count.add(0, ordering: .releasing)
    return false
  }

  /// Takes the claim of this adopting core. Returns `true` to one caller only (I3).
  func isNowTaken() -> Bool {
    updateState { word in word.taking().map { ($0, true) } } ?? false
  }

  /// Takes the right to resolve this step for a thread that does not serve the step. The list of the source still
  /// contains the step and has a count on it, so the claim gets an additional count.
  func claimFromSide() -> Claim? { isNowClaimed() ? Claim(counting: self) : nil }

  /// Takes the right to resolve this adopting core for a thread that does not serve the core.
  func takeAdoptedFromSide() -> Claim? { isNowTaken() ? Claim(counting: self) : nil }
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
    // `handingOut` never returns `nil`, so the zero is never used.
    let newest = core.updateState { $0.handingOut() } ?? 0
    // Unsafe: the list was taken out of the word, so its nodes belong to this thread (I4, E2).
    var node = unsafe CoreRef(address: newest)
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
    core.updateState { word in word.closing(taking: waiter?.address ?? 0).map { ($0, true) } } == true
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

  // MARK: The source and the place of a step that runs later

  /// In a step that was handed to a context or deferred, the core whose result the step will read, with a count.
  private var keptSource: CoreRef? {
    get { core.fields.sourceOrBelow.value }
    nonmutating set { core.fields.sourceOrBelow.value = newValue }
  }

  /// Keeps the resolved source in this step, which runs later. The count on the source is the one that the step has as
  /// a waiter, or a new one.
  func keepSource(_ source: CoreRef) { keptSource = (core.detach(source) ?? Owned(source)).leak() }

  /// Takes the source that was kept.
  func takeSource() -> Owned {
    guard let source = keptSource else { preconditionFailure("a step is ready, but has no source") }
    keptSource = nil
    // Unsafe: the word had the count.
    return unsafe Owned(taking: source)
  }
}
