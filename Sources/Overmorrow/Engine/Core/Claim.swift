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
