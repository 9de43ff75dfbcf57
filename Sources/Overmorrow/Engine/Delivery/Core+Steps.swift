/// The life of a step: registered, run or passed on, settled.
extension CoreRef {
  // MARK: Fields of a core that has one owner

  var next: CoreRef? { fields.next.value }
  var traits: Traits { fields.traits.value }
  // Relaxed: the place is published with the step (E2). A thread that does not own the place may only compare it,
  // because the object of the place may have been released.
  var place: Place { Place(bits: fields.place.load(ordering: .relaxed)) }

  /// In a step that was handed to a context or deferred, the core whose result the step will read, with a count.
  private var keptSource: CoreRef? {
    get { fields.sourceOrBelow.value }
    nonmutating set { fields.sourceOrBelow.value = newValue }
  }

  /// Keeps the resolved source in this step, which runs later. The count on the source is the one that the step has as
  /// a waiter, or a new one.
  func keepSource(_ source: CoreRef) { keptSource = (detach(source) ?? Owned(source)).leak() }

  /// Takes the source that was kept.
  func takeSource() -> Owned {
    guard let source = keptSource else { preconditionFailure("a step is ready, but has no source") }
    keptSource = nil
    return Owned(adopting: source)
  }

  /// Takes the place and what the place owns, and leaves `immediate` in the core.
  func takePlace() -> Place {
    let place = self.place
    fields.place.store(Place.immediate.bits, ordering: .relaxed)
    return place
  }

  /// Whether this is a step of the main queue.
  @usableFromInline
  var isOnMain: Bool { traits.has(.onMain) }

  /// Returns whether the callback is for the outcome of this source.
  func wants(_ source: CoreRef) -> Bool { traits.wantsOutcome(of: source.state) }

  // MARK: Registering

  /// Makes `self` wait for `source`. Every operator registers here.
  ///
  /// The caller has the handle of `source`. `self` is not shared yet. If the caller has neither the handle of `self`
  /// nor a count on it, `self` may have ended when this function returns.
  @usableFromInline
  func register(on source: CoreRef, under gate: Gate? = nil) {
    if source.traits.has(.checked), !traits.has(.library) { CoreNote.find(source)?.follower.noteChild(self) }
    // The note sees the step before the step enters the gate, because a token may take the callback out afterwards.
    if gate?.enter(self) == false, votesNow.isSealed {
      // This step has no handle, and its callback is suppressed. So no code can observe the step, and the step ends
      // without being registered.
      abandonWaiting()
      return endListed()
    }
    if source.state.isClosed { return serveAtOnce(from: source) }
    if traits.contains(.votes) { source.updateVotes { ($0.adding(), ()) } }
    let count = Owned(source)
    if link.hasSideTable {
      _ = attach(count)
    } else {
      // Relaxed: published with the step (E2).
      fields.link.store(LinkWord.upstream(count.leak().address).bits, ordering: .relaxed)
    }
    if source.push(self) != .registered {
      // E3: all earlier waiters have been started.
      detach(source)
      serveAtOnce(from: source)
    }
  }

  /// Serves this step with the result of a closed source, inside the call that registers the step (I6).
  private func serveAtOnce(from source: CoreRef) {
    let isNow = traits.contains(.nowOr)
    if !wants(source) {
      passOn(from: source, in: nil)
    } else if place.isImmediate || isNow {
      Pass.runAtOnce(self, from: source, isNow: isNow)
    } else {
      Pass.handOver(self, from: source, joins: false)
    }
  }

  // MARK: Running

  /// Runs the callback, and settles the promise. If the gate of the callback is shut, suppresses the callback.
  ///
  /// The two branches are separate functions, so that neither branch needs the stack frame of the other.
  func runStep(from source: CoreRef, in pass: Pass) {
    if isUnobserved(by: source) { runUnobserved(from: source, in: pass) } else { runObserved(from: source, in: pass) }
  }

  @inline(never)
  private func runObserved(from source: CoreRef, in pass: Pass) {
    detach(source)
    guard claim() else { return endListed() }
    let verdict = perform(takeCallback(isToRun: true), source)
    clearStep()
    settle(verdict, in: pass)
  }

  /// Returns whether only the caller, which is about to run this step, can ever see the step. Such a step has no
  /// handle, no request, no waiter, and no side table through which a token could find the step.
  @inline(__always)
  private func isUnobserved(by source: CoreRef) -> Bool {
    // Acquiring: all uses by threads that have released a count come before this load. Relaxed: the only count is the
    // caller's, so no other thread can change these words.
    fields.count.load(ordering: .acquiring) == 1
      && fields.state.load(ordering: .relaxed) == StateWord.empty(.pending).bits
      && fields.link.load(ordering: .relaxed) == LinkWord.upstream(source.address).bits
  }

  /// Runs the callback of a step that no other thread can see. The step is claimed, resolved and destroyed without
  /// atomic updates.
  @inline(never)
  private func runUnobserved(from source: CoreRef, in pass: Pass) {
    fields.link.store(LinkWord.none.bits, ordering: .relaxed)
    _ = Owned(adopting: source)
    let verdict = perform(.run, source)
    takePlace().relinquish()
    let outcome: Outcome
    switch consume verdict {
    case .value: outcome = .value
    case .error: outcome = .error
    case .cancelled: outcome = .cancelled
    case .promise:
      fields.state.store(StateWord.empty(.claimed).bits, ordering: .relaxed)
      return adopt(take(PromiseHandle.self), in: pass)
    case .answer: CoreRef.failForAnswer()
    }
    fields.state.store(StateWord.closed(outcome).bits, ordering: .relaxed)
    fields.count.store(0, ordering: .relaxed)
    destroyInPlace()
  }

  /// Drops the callback without running it, and passes the result on. The caller has found that the callback is not for
  /// this result, or an executor has dropped the step.
  @inline(never)
  func passOn(from source: CoreRef, in pass: Pass?) {
    detach(source)
    guard claim() else { return endListed() }
    let verdict = perform(takeCallback(isToRun: false), source)
    clearStep()
    settle(verdict, in: pass)
  }

  /// Ends a step that its executor has dropped. The step ends as if its token had been invalidated.
  func abandon() {
    let source = takeSource()
    passOn(from: source.core, in: nil)
  }

  /// Releases the place. Only a step that has not run needs its place.
  private func clearStep() { takePlace().relinquish() }

  /// Releases the list's count on this core, which was resolved while it was in the list.
  func endListed() {
    clearStep()
    release()
  }

  /// Releases the pending count of this core, which is resolved and drained.
  func endPending() { release() }

  // MARK: Settling

  /// Publishes the result in the payload, or starts to adopt. The caller has the claim.
  func settle(_ verdict: consuming OperationResult, in pass: Pass?) {
    switch verdict {
    case .value: publish(.value, in: pass)
    case .error: publish(.error, in: pass)
    case .cancelled: publish(.cancelled, in: pass)
    case .promise: adopt(take(PromiseHandle.self), in: pass)
    case .answer: CoreRef.failForAnswer()
    }
  }

  private static func failForAnswer() -> Never {
    preconditionFailure("a step was settled with the answer to a question")
  }

  /// Publishes the result. The pending count is released when the core is drained. Without a pass, the waiters are
  /// served before this function returns, or are deferred if calls nest too deep.
  ///
  /// - Parameter vote: The treatment of the vote, if the core still waits for another core.
  func publish(_ outcome: Outcome, in pass: Pass?, _ vote: VoteAtEnd = .isForgotten) {
    let action = markPublished(outcome)
    // Usually the link word is empty. A thread that makes a side table after this read then reads the phase. Both reads
    // are in the total order of E7, so one of the two threads sees what the other has done.
    if linkInTotalOrder.address != 0 { closeRequests(vote) }
    switch action {
    case .finished: endPending()
    case .drain:
      if let pass { pass.drainNext(self) } else { Pass.serve(self) }
    }
  }

  /// Publishes the result for a producer, which gives up its count. The waiters are served before this function
  /// returns, or are deferred if calls nest too deep.
  @usableFromInline
  func publish(_ outcome: Outcome) { publish(outcome, in: nil) }

  /// Copies the result of a core with the same types into the payload. The caller has the claim.
  func copyResult(of source: CoreRef) -> OperationResult { perform(.adopt, source) }
}
