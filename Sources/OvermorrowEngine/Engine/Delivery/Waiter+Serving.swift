/// The ways to serve a step whose source has resolved: its callback runs, or it only forwards the result.
extension Waiter {
  /// Serves this step with the result of a closed source, inside the call that registers the step (I6).
  consuming func serveAtOnce(from source: CoreRef) {
    let isNow = core.traits.contains(.nowOr)
    if !core.traits.wantsOutcome(of: source.state) {
      forwardResult(from: source, in: nil)
    } else if core.place.isImmediate || isNow {
      Pass.runAtOnce(self, from: source, isNow: isNow)
    } else {
      Pass.handOver(self, from: source, joins: false)
    }
  }

  /// Runs the callback, and settles the promise. If the gate of the callback is shut, suppresses the callback.
  ///
  /// The two branches are separate functions, so that neither branch needs the stack frame of the other.
  consuming func run(from source: CoreRef, in pass: Pass) {
    if isUnobserved(by: source) { runUnobserved(from: source, in: pass) } else { runObserved(from: source, in: pass) }
  }

  @inline(never)
  private consuming func runObserved(from source: CoreRef, in pass: Pass) {
    core.detach(source)
    if let claim = claim() { claim.settle(isToRun: true, from: source, in: pass) }
  }

  /// Returns whether only this right can ever lead to the step. Such a step has no handle, no request, no waiter, and
  /// no side table through which a token could find the step.
  @inline(__always)
  private func isUnobserved(by source: CoreRef) -> Bool {
    // Acquiring: all uses by threads that have released a count come before this load. Relaxed: the only count is the
    // waiter's, so no other thread can change these words.
    core.fields.count.load(ordering: .acquiring) == 1
      && core.fields.state.load(ordering: .relaxed) == StateWord.empty(.pending).bits
      && core.fields.link.load(ordering: .relaxed) == LinkWord.upstream(source.address).bits
  }

  /// Runs the callback of a step that no other thread can see. The step is claimed, resolved and destroyed without
  /// atomic updates.
  @inline(never)
  private consuming func runUnobserved(from source: CoreRef, in pass: Pass) {
    let core = leave()
    core.fields.link.store(LinkWord.none.bits, ordering: .relaxed)
    // Unsafe: the word had the count, and no other thread sees the word.
    unsafe source.release()
    let verdict = core.perform(.run, source)
    core.takePlace().relinquish()
    let outcome: Outcome
    switch consume verdict {
    case .value: outcome = .value
    case .error: outcome = .error
    case .cancelled: outcome = .cancelled
    case .promise:
      core.fields.state.store(StateWord.empty(.claimed).bits, ordering: .relaxed)
      // Unsafe: no other thread can see this step, and the claim gets the waiter's count.
      return unsafe Claim(on: core).settle(.promise, in: pass)
    case .answer: Claim.failForAnswer()
    }
    core.fields.state.store(StateWord.closed(outcome).bits, ordering: .relaxed)
    core.fields.count.store(0, ordering: .relaxed)
    core.destroyInPlace()
  }

  /// Drops the callback without running it, and forwards the result, because the callback is not for this result.
  ///
  /// The place is taken before the source. A thread that finds a pending step without a source, but with its place,
  /// then knows that the step was handed to this place (`CoreRef.neededPlace`).
  @inline(never)
  consuming func forwardResult(from source: CoreRef, in pass: Pass?) {
    core.takePlace().relinquish()
    core.detach(source)
    if let claim = claim() { claim.settle(isToRun: false, from: source, in: pass) }
  }

  /// Ends a step that its executor has dropped. The step ends as if its token had been invalidated.
  consuming func forwardDropped() {
    let source = takeSource()
    forwardResult(from: source.core, in: nil)
  }
}

/// The end of a claim: the publication of a result, or an adoption.
extension Claim {
  /// Settles a step with the result of its callback, or with the result of its source.
  @inline(__always)
  fileprivate consuming func settle(isToRun: Bool, from source: CoreRef, in pass: Pass?) {
    let verdict = core.perform(takeCallback(isToRun: isToRun), source)
    // Only a step that has not run needs its place.
    if isToRun { core.takePlace().relinquish() }
    settle(verdict, in: pass)
  }

  /// Publishes the result in the payload, or starts to adopt.
  consuming func settle(_ verdict: consuming OperationResult, in pass: Pass?) {
    switch consume verdict {
    case .value: publish(.value, in: pass)
    case .error: publish(.error, in: pass)
    case .cancelled: publish(.cancelled, in: pass)
    case .promise:
      // Unsafe: the verdict says that the payload contains a promise.
      let promise = unsafe core.take(PromiseHandle.self)
      adopt(promise, in: pass)
    case .answer: Claim.failForAnswer()
    }
  }

  static func failForAnswer() -> Never {
    preconditionFailure("a step was settled with the answer to a question")
  }

  /// Publishes the result, whose value or error is in the payload. The pending count is released when the core is
  /// drained. Without a pass, the waiters are served before this function returns, or are deferred if calls nest too
  /// deep.
  ///
  /// - Parameter vote: The treatment of the vote, if the core still waits for another core.
  @usableFromInline
  consuming func publish(_ outcome: Outcome, in pass: Pass? = nil, _ vote: VoteAtEnd = .isForgotten) {
    let core = use()
    var (word, action) = (core.state, StateWord.PublishAction.finished)
    while true {
      let (new, duty) = word.publishing(outcome)
      action = duty
      if core.replaceState(&word, by: new) { break }
    }
    // Usually the link word is empty. A thread that makes a side table after this read then reads the phase. Both reads
    // are in the total order of E7, so one of the two threads sees what the other has done.
    if core.linkInTotalOrder.address != 0 { core.closeRequests(vote) }
    switch action {
    // Unsafe, both: the pending count was the claim's.
    case .finished: unsafe core.release()
    case .drain:
      let drainer = unsafe Drainer(of: core)
      if let pass { pass.fields.drainStack.push(drainer) } else { Pass.serve(drainer) }
    }
  }

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
}

extension Claim {
  /// Takes the callback, to run the step or to forward its result.
  ///
  /// - Parameter isToRun: Whether the callback is for the result.
  /// - Returns: The operation to perform: run, forward, or forward without a callback.
  @inline(__always)
  func takeCallback(isToRun: Bool) -> CoreOperation {
    core.link.hasSideTable ? takeCallbackInSideTable(isToRun) : isToRun ? .run : .forward
  }

  @inline(never)
  private func takeCallbackInSideTable(_ isToRun: Bool) -> CoreOperation {
    core.withSideTable { sideTable in
      guard sideTable.callback == .inPlace else { return .forwardWithoutCallback }
      sideTable.callback = .taken
      return isToRun && !sideTable.rosters.elements.contains(where: \.isShutGate) ? .run : .forward
    }
  }
}
