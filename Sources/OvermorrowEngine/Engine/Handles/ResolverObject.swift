/// The object that the copies of a resolver share. If this object ends while it has the claim, the promise is
/// cancelled.
class ResolverObject: ResolverClaim, @unchecked Sendable {
  // Sendable: adds only a deinitialiser to the resolver object.

  deinit {
    // Acquire: everything that was done through any copy of the resolver comes before the end of the core.
    let (claim, count) = ResolverClaim.rest(in: word.load(ordering: .acquiring))
    // Unsafe: the word says that the claim was not given away, and nothing can take the claim any more.
    if claim { return unsafe Claim(on: core).abandon() }
    guard count else { return }
    if core.state.phase == .adopting { core.endIfUnobserved() }
    // Unsafe: the resolver object's count, because its claim is taken.
    unsafe core.release()
  }

  /// Makes a resolver object whose calls have no effect, for the handlers of a core that adopts another promise and
  /// whose own resolver object has ended. Returns `nil` if the core does not adopt, because the end of its resolver
  /// object then cancels it.
  static func withoutClaim(of core: CoreRef) -> ResolverObject? {
    // The read is in the total order, because a thread that finds that the resolver object has ended must see what the
    // resolver object did before. No other edge orders this read after the acts of the resolver object.
    guard core.stateInTotalOrder.phase == .adopting else { return nil }
    return ResolverObject(Owned(core), isTaken: true)
  }
}

extension Claim {
  // Unsafe, both: the claim includes the payload, which is empty. The claim comes from a resolver object of these
  // types.

  @inlinable
  @inline(__always)
  package consuming func fulfill<Value>(with value: Value) {
    unsafe core.write(value)
    publish(.value)
  }

  @inlinable
  @inline(__always)
  package consuming func reject<Failure>(with error: Failure) {
    unsafe core.write(error)
    publish(.error)
  }

  /// Cancels the promise, because its last resolver was released without a result.
  @inline(never)
  fileprivate consuming func abandon() {
    noteResolversGone()
    CoreNote.follower(of: core)?.noteClaimed(for: .cancelled)
    publish(.cancelled)
  }

  /// Reports that the last copy of the resolver was released without a result, so that the promise is about to be
  /// cancelled.
  ///
  /// Five cases are no mistakes and are not reported: the promise was asked to cancel, the library made the promise for
  /// its own use, an executor dropped the body, the promise has neither a handle nor an observer, or a handler kept the
  /// copy.
  private func noteResolversGone() {
    if core.hasBeenAskedToCancel || core.traits.contains(.library) { return }
    // Without a handle no waiter can be added.
    let votes = core.votesNow
    if votes.keepsResolver || votes.isUnreachable && core.state.list == 0 { return }
    let note = CoreNote.find(core)
    if case .waits? = note?.body { return }
    core.report(.resolverDropped)
  }
}

extension ResolverClaim {
  /// Resolves the promise to the result of another one. If the claim is taken, does nothing.
  @usableFromInline
  package final func adopt(_ handle: PromiseHandle) {
    guard take() else { return }
    // The claim gets its own count, because the list of the adopted promise may outlive this resolver object.
    core.retain()
    // Unsafe: the word has just given the claim to this thread.
    unsafe Claim(on: core).adopt(handle, in: nil)
  }

  /// Cancels the promise. If the claim is taken, does nothing.
  @usableFromInline
  package final func cancel() {
    if let claim = claim(for: .cancelled) { claim.publish(.cancelled) }
  }

  /// Runs the body of the promise. If the promise has a scope of checks, runs the body in that scope.
  ///
  /// The body gets the first copy of the resolver, so the resolver object still has its count when this function is
  /// called.
  package final func inScope(_ body: () -> Void) {
    core.takePlace().relinquish()
    if let note = CoreNote.find(core) { note.runBody(body) } else { body() }
  }
}
