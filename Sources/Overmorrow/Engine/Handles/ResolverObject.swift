/// What the copies of a resolver share; its end is the end of the hope for a result.
class ResolverObject: Producer, @unchecked Sendable {
  // Sendable: adds nothing to the producer but its end.

  deinit {
    // Acquire: all that was done through any copy comes before the end of the core.
    let (claim, count) = Producer.rest(in: word.load(ordering: .acquiring))
    if claim { abandon() } else if count { core.releaseFromProducer() }
  }

  @inline(never)
  private func abandon() {
    switch core.waitForRequest() {
    case .begun: break
    case .asked:
      // The new producer has the count, which is gone once a handler has used it to resolve; others may come behind that one.
      let kept = Owned(core)
      kept.core.requestCancelInSideTable(ResolverObject(core))
    case .refused:
      core.noteResolversGone()
      core.publish(.cancelled)
    }
  }

  /// A producer for a core that has lost its own after that had used its claim: it can do nothing. `nil` if the claim is to be had.
  static func late(_ core: CoreRef) -> ResolverObject? {
    // In the total order, as whoever finds the producer gone must find what it has done before: no edge leads here from its end.
    guard core.stateInTotalOrder.phase == .adopting else { return nil }
    return ResolverObject(Owned(core).leak(), isTaken: true)
  }
}

extension Producer {
  /// Resolves to the result of another promise; does nothing if the claim is taken.
  @usableFromInline
  final func adopt(_ handle: PromiseHandle) {
    guard take() else { return }
    // The list of the promise adopted needs a count, as it may outlive this producer.
    core.retain()
    core.adopt(handle, in: nil)
  }

  /// Cancels; does nothing if the claim is taken.
  @usableFromInline
  final func cancel() { claim(for: .cancelled)?.publish(.cancelled) }

  /// Runs the body of the promise, in the scope of checks that the promise belongs to, if there is one.
  ///
  /// The body gets the first copy of the resolver, so that the producer still has its count when this is called.
  final func inScope(_ body: () -> Void) {
    core.bodyBegins()
    if let note = CoreNote.find(core) { note.runBody(body) } else { body() }
  }
}
