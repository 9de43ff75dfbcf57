/// The object that the copies of a resolver share. If this object ends while it has the claim, the promise is
/// cancelled.
class ResolverObject: Producer, @unchecked Sendable {
  // Sendable: adds only a deinitialiser to the producer.

  deinit {
    // Acquire: everything that was done through any copy of the resolver comes before the end of the core.
    let (claim, count) = Producer.rest(in: word.load(ordering: .acquiring))
    if claim { abandon() } else if count { core.releaseFromProducer() }
  }

  @inline(never)
  private func abandon() {
    core.noteResolversGone()
    core.noteResult(.cancelled)
    core.publish(.cancelled)
  }

  /// Makes a producer whose calls have no effect, for the handlers of a core that adopts another promise and whose own
  /// producer has ended. Returns `nil` if the core does not adopt, because the end of its producer then cancels it.
  static func withoutClaim(of core: CoreRef) -> ResolverObject? {
    // The read is in the total order, because a thread that finds that the producer has ended must see what the
    // producer did before. No other edge orders this read after the acts of the producer.
    guard core.stateInTotalOrder.phase == .adopting else { return nil }
    return ResolverObject(Owned(core).leak(), isTaken: true)
  }
}

extension Producer {
  /// Resolves the promise to the result of another one. If the claim is taken, does nothing.
  @usableFromInline
  final func adopt(_ handle: PromiseHandle) {
    guard take() else { return }
    // The list of the adopted promise needs a count on this core, because the list may outlive this producer.
    core.retain()
    core.adopt(handle, in: nil)
  }

  /// Cancels the promise. If the claim is taken, does nothing.
  @usableFromInline
  final func cancel() { claim(for: .cancelled)?.publish(.cancelled) }

  /// Runs the body of the promise. If the promise has a scope of checks, runs the body in that scope.
  ///
  /// The body gets the first copy of the resolver, so the producer still has its count when this function is called.
  final func inScope(_ body: () -> Void) {
    core.bodyBegins()
    if let note = CoreNote.find(core) { note.runBody(body) } else { body() }
  }
}
