extension PromiseHandle {
  /// Makes this core wait for `source`. This is the one way in for every operator.
  ///
  /// The caller has the handle of `source`, too. This core has not been seen by anybody else.
  @usableFromInline
  func register(on source: CoreRef) {
    if source.traits.has(.checked), !core.traits.has(.library) { CoreNote.find(source)?.noteChild(self) }
    core.register(on: source)
  }
}

/// The life of a step: registered, run or passed on, settled.
extension CoreRef {
  /// Makes a core without a handle wait for `source`. It may have ended when this returns, unless the caller has a count.
  ///
  /// The caller has the handle of `source`. This core has not been seen by anybody else.
  @usableFromInline
  func report(on source: CoreRef) { register(on: source) }

  // MARK: Fields of a core that has one owner

  // Unsafe, each of these: the caller is the one that "Who may touch what" in `StateWord.swift` names.

  var next: CoreRef? { unsafe pointer.pointee.next }
  var traits: Traits { unsafe pointer.pointee.traits }
  // Relaxed: the place is published with the step (E2).
  var place: Place { unsafe Place(bits: pointer.pointee.place.load(ordering: .relaxed)) }

  /// The place as it may be by now, to be compared with others and for nothing else: what it points to may be gone. The
  /// caller holds a count.
  var placeNow: Place { place }

  /// Keeps the source, which has resolved, for a step that runs later: by the count that the step has as an observer, or by
  /// another one if it has none. The caller holds a count.
  func remember(_ source: CoreRef) {
    if updateRequest({ $0.detaching(source.address) }) == .nothing { source.retain() }
    unsafe pointer.pointee.source = source
  }

  /// The source that was kept; its count goes to the caller.
  func takeSource() -> CoreRef {
    guard let source = unsafe pointer.pointee.source else { preconditionFailure("a step is ready, but has no source") }
    unsafe pointer.pointee.source = nil
    return source
  }

  /// Leaves `immediate` behind; what the place owns goes to the caller.
  func takePlace() -> Place {
    let place = self.place
    unsafe pointer.pointee.place.store(Place.immediate.bits, ordering: .relaxed)
    return place
  }

  /// Gives back what ``takePlace()`` took; the field owns it.
  func putBack(_ place: Place) { unsafe pointer.pointee.place.store(place.bits, ordering: .relaxed) }

  /// Whether the callback is to run for this source's result.
  func wants(_ source: CoreRef) -> Bool { traits.wantsOutcome(of: source.state) }

  // MARK: Registering

  /// Makes `self` wait for `source`.
  ///
  /// The caller has the handle of `source`. `self` has not been seen by anybody else, and may have ended once it is in the list.
  fileprivate func register(on source: CoreRef) {
    let word = source.state
    if word.isClosed { return serveAtOnce(from: source, isOwn: true) }
    if word.hasEnded { return registerAmongTheLast(on: source, word) }
    if traits.contains(.votes) { source.updateVotes { ($0.adding(), ()) } }
    source.retain()
    takeRank(before: source)
    attachFirst(source)
    if source.push(self) != .registered {
      detach(from: source)
      registerAmongTheLast(on: source, source.state)
    } else if source.state.isHeld {
      Suspensions.observersDidChange(of: source)
    }
  }

  /// Attaches the source of a step that only its gate may have seen.
  @inline(__always)
  private func attachFirst(_ source: CoreRef) {
    // Unsafe: nobody changes the field before the step has run.
    if unsafe pointer.pointee.gate == nil {
      // Relaxed: published with the step (E2).
      unsafe pointer.pointee.request.store(RequestWord.upstream(source.address).bits, ordering: .relaxed)
    } else {
      _ = updateRequest { $0.attaching(source.address) }
    }
  }

  /// The list of the source has ended, perhaps only just: nobody will serve this step but its owner (I6).
  @inline(never)
  private func registerAmongTheLast(on source: CoreRef, _ word: StateWord) {
    if word.isShared {
      // Its address has to be this step's own until all is done there; others may run it meanwhile.
      retain()
      defer { release() }
      if Latecomers.register(self, on: source) { return }
    } else if word.isLast {
      // E3: everybody before this step has been started.
      if runsAtOnce(from: source, isOwn: true), !Pass.isFinishing(source) {
        Moment.pass(unless: { source.state.isClosed })
      }
      source.close()
    }
    serveAtOnce(from: source, isOwn: true)
  }

  /// Whether the result of the source is dealt with on this thread.
  ///
  /// - Parameter isOwn: Whether this is the thread that registers the step.
  func runsAtOnce(from source: CoreRef, isOwn: Bool) -> Bool {
    !state.isPending || !wants(source) || place.isImmediate || isOwn && traits.contains(.nowOr)
  }

  /// Deals with the result of a source for which nobody else does that.
  func serveAtOnce(from source: CoreRef, isOwn: Bool) {
    let isNow = isOwn && traits.contains(.nowOr)
    if !wants(source) {
      passOn(from: source, in: nil)
    } else if place.isImmediate || isNow {
      Pass.runAtOnce(self, from: source, isNow: isNow)
    } else {
      Pass.handOver(self, from: source, joins: false)
    }
  }

  /// Gives up the vote and the count on a source that has resolved, unless a canceller has taken them (R1).
  func detach(from source: CoreRef) {
    if updateRequest({ $0.detaching(source.address) }) != .nothing { source.release() }
  }

  // MARK: Running

  /// Runs the callback, or suppresses it if its gate is shut, and settles the promise.
  ///
  /// Small, and the ways that it takes are functions of their own: so a step does not pay for the room that others need.
  func runStep(from source: CoreRef, in pass: Pass) {
    if isUnseen(by: source) { runUnseen(from: source, in: pass) } else { runSeen(from: source, in: pass) }
  }

  @inline(never)
  private func runSeen(from source: CoreRef, in pass: Pass) {
    detach(from: source)
    guard claimUnlessHeld() else { return runLater(from: source, in: pass) }
    // Unsafe: out of every list, so the fields are ours.
    let gate = unsafe pointer.pointee.gate
    let verdict = perform(gate?.isShut == true ? .pass : .run, source)
    clearStep()
    settle(verdict, in: pass)
  }

  /// Whether nobody can ever see this step but the caller, who is about to run it: its handle has ended, or it never had one,
  /// nobody has asked it, and nobody waits for it.
  @inline(__always)
  private func isUnseen(by source: CoreRef) -> Bool {
    // Acquiring: whoever has given a count back has done all that it wanted. Relaxed: with that count, nobody is left who could
    // change these. Unsafe: the caller has the count for being unresolved, and the step is out of every list.
    unsafe pointer.pointee.count.load(ordering: .acquiring) == 1
      && pointer.pointee.state.load(ordering: .relaxed) == StateWord.empty(.pending).bits
      && pointer.pointee.request.load(ordering: .relaxed) == RequestWord.upstream(source.address).bits
      && !VoteWord(bits: pointer.pointee.votes.load(ordering: .relaxed)).isExposed
      && pointer.pointee.gate == nil
  }

  /// Runs the callback of a step that nobody else can see. It is claimed, resolved and destroyed without a change that another
  /// thread could meet.
  @inline(never)
  private func runUnseen(from source: CoreRef, in pass: Pass) {
    // Unsafe, in here: as in `isUnseen`.
    unsafe pointer.pointee.request.store(RequestWord.nobody.bits, ordering: .relaxed)
    source.release()
    let verdict = perform(.run, source)
    takePlace().relinquish()
    let outcome: Outcome
    switch consume verdict {
    case .value: outcome = .value
    case .error: outcome = .error
    case .cancelled: outcome = .cancelled
    case .promise(let handle):
      unsafe pointer.pointee.state.store(StateWord.empty(.claimed).bits, ordering: .relaxed)
      return adopt(handle, in: pass)
    case .answer: CoreRef.failForAnswer()
    }
    unsafe pointer.pointee.state.store(StateWord.closed(outcome).bits, ordering: .relaxed)
    unsafe pointer.pointee.count.store(0, ordering: .relaxed)
    Disposal.destroy(self)
  }

  /// The callback is not wanted for this result: drops it, and passes the result on.
  @inline(never)
  func passOn(from source: CoreRef, in pass: Pass?) {
    detach(from: source)
    guard claim() else { return leave() }
    let verdict = perform(.pass, source)
    clearStep()
    settle(verdict, in: pass)
  }

  /// The executor has dropped the step: it ends as if its token had been invalidated.
  func abandon() {
    let source = takeSource()
    passOn(from: source, in: nil)
    source.release()
  }

  /// Lets go of what only a step that has not run needs.
  func clearStep() {
    takePlace().relinquish()
    // Unsafe: out of every list, so the field is ours.
    unsafe pointer.pointee.gate = nil
  }

  /// Somebody resolved this core while it was in a list; the count of the list is all that is left of it.
  func leave() {
    clearStep()
    release()
  }

  // MARK: Settling

  /// Publishes the result that is in the payload, or starts to adopt. The caller has the claim.
  func settle(_ verdict: consuming Verdict, in pass: Pass?) {
    switch verdict {
    case .value: publish(.value, in: pass)
    case .error: publish(.error, in: pass)
    case .cancelled: publish(.cancelled, in: pass)
    case .promise(let handle): adopt(handle, in: pass)
    case .answer: CoreRef.failForAnswer()
    }
  }

  private static func failForAnswer() -> Never {
    preconditionFailure("a step was settled with the answer to a question")
  }

  /// Tells everybody, and gives up the pending count. Without a pass, those who wait are served before this returns.
  func publish(_ outcome: Outcome, in pass: Pass?) {
    let action = markPublished(outcome)
    if action == .refused { return publishLater(outcome, in: pass) }
    finishPublishing(action, in: pass)
  }

  /// The word says that the core is resolved: tells everybody, and gives up the pending count.
  @inline(__always)
  func finishPublishing(_ action: StateWord.PublishAction, in pass: Pass?) {
    closeRequests()
    switch action {
    case .finished, .refused: release()
    case .drain:
      waitForLeaving()
      if let pass { pass.drainNext(self) } else { Pass.serve(self) }
    }
  }

  /// Tells everybody, for a producer, which gives up its count. Those who wait are served before this returns.
  @usableFromInline
  func publish(_ outcome: Outcome) { publish(outcome, in: nil) }

  /// Copies the result of a core of the same types into the payload. The caller has the claim.
  func copyResult(of source: CoreRef) -> Verdict { perform(.adopt, source) }
}
