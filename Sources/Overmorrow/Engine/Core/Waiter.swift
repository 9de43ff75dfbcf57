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
