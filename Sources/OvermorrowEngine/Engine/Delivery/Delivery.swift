/// The way of a result from its publication to the start of each callback. Read this file after `StateWord`.
///
/// # Words
///
/// - **Source**: the core whose result is delivered. **Waiter**: a core in the list of the source. It is a step, whose
///   callback gets the result, or it adopts the source.
/// - `Claim`, `Drainer`, `Waiter`: the rights to resolve a core, to take the waiters out of its list, and to serve one
///   of them (`Rights`). A claim and a waiter are used once, and a core has one drainer at a time. So each result is
///   published once, and each callback runs at most once.
/// - **Pass**: a loop that delivers on one thread, and its **drain stack** of resolved cores with waiters. Passes nest.
/// - **Place**: where a callback runs. A waiter whose callback cannot start in this pass now is **handed over**: to its
///   place, or to the main pass of this thread (`Pass.handOver`).
/// - **Disposition**: how a waiter is served.
///
/// # Diagram
///
/// ```
///   a resolver, or the callback of a step, has written the payload
///     │
///     ▼
///   Claim.publish ───── no waiter ─────▶ end
///     │ Drainer
///     ├─ the engine settles a core in a pass: push onto the drain stack
///     └─ else, from user code: Pass.serve
///          ├─ too deep: deferred to the innermost pass (`Pass.deferDraining`)
///          └─ else: a new pass
///                │
///                ▼
///   ┌──▶ a core begins: serveWaiters (a sole waiter), or from there drain; a core resumes: drain
///   │            │ each waiter, in the order of registration
///   │            ▼
///   │    Pass.disposition of each waiter
///   │      settle ──▶ Waiter.finishAdopting ────────────────────────┐
///   │      forward ─▶ Waiter.forwardResult ─────────────────────────┤
///   │      run ─────▶ Waiter.run, which calls the callback ─────────┤
///   │      handOver ▶ Pass.handOver ─▶ place ─▶ pass ─▶ Waiter.run ─┤
///   │                                                               ▼
///   └─────────────────── Claim.publish ◀─── a result ─── Claim.settle ─── a promise ──▶ Claim.adopt
/// ```
///
/// Then `Pass.serveAll` takes the core on top of the stack, until nothing is left.
extension Claim {
  /// Publishes the result, whose value or error is in the payload. If there is a pass, that pass serves the waiters.
  /// Otherwise, this call starts them (I9), unless calls nest too deep. `vote` is the treatment of the vote, if the
  /// core still waits for another core.
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
}

extension Pass {
  /// Serves everything that waits in this pass, including what is added meanwhile, until nothing is left.
  @inline(never)
  func serveAll() {
    // The callback that was registered now has returned.
    fields.isNow = false
    while true {
      if fields.deferred != 0, resumeDeferred() {
        continue
      } else if let core = fields.drainStack.first {
        let popped = fields.drainStack.pop(core)
        if let waiter = popped.waiter {
          drain(popped.drainer, from: waiter, isSecondList: popped.isSecondList)
        } else {
          serveWaiters(of: popped.drainer)
        }
      } else if let step = fields.mainSteps.remove() {
        run(step)
      } else {
        return
      }
    }
  }

  /// Serves waiters of a core of which no waiter was served yet, until other work comes first or no waiter is left. The
  /// core is not on the stack. If a sole waiter is served here, one transition takes it out and closes the list (I8).
  @inline(__always)
  func serveWaiters(of drainer: consuming Drainer) {
    let (core, waiter) = (drainer.core, drainer.newestWaiter)
    if waiter.next == nil {
      let disposition = disposition(of: waiter, from: core, isSole: true)
      if disposition == .handOver { return handOverSole(drainer) }
      if drainer.close(taking: waiter) {
        serve(waiter, from: core, disposition)
        return drainer.releasePendingCount()
      }
    }
    let first = drainer.takeWaiters()
    drain(drainer, from: first, isSecondList: false)
  }

  /// Hands over a sole waiter. If other waiters were pushed meanwhile, serves them, too.
  private func handOverSole(_ drainer: consuming Drainer) {
    let waiter = drainer.takeWaiters()
    if waiter.next != nil { return drain(drainer, from: waiter, isSecondList: false) }
    serve(waiter, from: drainer.core, .handOver)
    if drainer.close() { return drainer.releasePendingCount() }
    let more = drainer.takeWaiters()
    drain(drainer, from: more, isSecondList: true)
  }

  /// Serves waiters that were taken from a core. If waiters were pushed meanwhile, takes and serves these waiters, too,
  /// but only once (I9). The core is not on the stack when this function is called.
  ///
  /// Each waiter that a drainer serves is served in a round of this loop, or in its short form above. Whatever the
  /// engine settles here goes on top of the drain stack, and the loop returns, so that `serveAll` drains it first. So a
  /// chain needs no recursion, however long it is. What a callback itself resolves, a pass inside the callback serves.
  private func drain(_ right: consuming Drainer, from first: CoreRef, isSecondList: Bool) {
    var drainer = right
    let core = drainer.core
    var (waiter, isSecondList) = (first, isSecondList)
    while true {
      let disposition = disposition(of: waiter, from: core, isSole: false)
      let following = waiter.next
      // The core is on the stack while a waiter is served, so what the engine settles meanwhile goes above it.
      if let following {
        fields.drainStack.push(drainer, resumingWith: following, isSecondList)
        serve(waiter, from: core, disposition)
        // The cores that this waiter has resolved, and the work that its callback has deferred, come first.
        if fields.drainStack.first != core || fields.newlyDeferred != 0 { return }
        drainer = fields.drainStack.takeBack(core)
        waiter = following
        continue
      }
      // This waiter is the last one that was taken. A hand-over comes before the list is closed, because the waiter
      // must precede later waiters on its queue. It adds nothing to the stack: what an executor resolves inside its
      // call gets passes of its own, or is deferred. All else is served after the list is closed.
      if disposition == .handOver { serve(waiter, from: core, disposition) }
      let isEnd = drainer.close()
      if !isEnd, !isSecondList {
        isSecondList = true
        let more = drainer.takeWaiters()
        if disposition == .handOver { waiter = more } else { waiter.fields.next.value = more }
        continue
      }
      if disposition != .handOver { serve(waiter, from: core, disposition) }
      // The global queue continues only now, because later waiters must not be started before this one.
      return isEnd ? drainer.releasePendingCount() : drainer.continueOnGlobalQueue()
    }
  }

  /// The way to serve a waiter whose source has resolved.
  enum Disposition {
    /// The waiter adopts the source, or was claimed or resolved from elsewhere.
    case settle
    /// The waiter's callback is not for this result.
    case forward
    /// The waiter's callback runs in this pass.
    case run
    /// The waiter is handed to its place, where its callback runs.
    case handOver
  }

  @inline(__always)
  private func serve(_ waiter: CoreRef, from core: CoreRef, _ disposition: Disposition) {
    // Unsafe: the drainer of `core` has taken the waiter out of the list.
    let waiter = unsafe Waiter(of: waiter)
    switch disposition {
    case .settle: waiter.finishAdopting(core, in: self)
    case .forward: waiter.forwardResult(from: core, in: self)
    case .run: waiter.run(from: core, in: self)
    case .handOver: Pass.handOver(waiter, from: core, joins: true)
    }
  }

  /// Returns the way to serve a waiter. If the waiter is to be run on the queue of this pass, this takes one of the
  /// steps that may follow one another on that queue.
  ///
  /// On a queue, only a sole waiter can run in the pass, because siblings may run in parallel on a concurrent queue. On
  /// the main queue, no step can run in the pass, because the steps of that queue must run in order of arrival.
  ///
  /// If a sole waiter is no longer alone, `drain` asks again. If it was to run, one step of the budget is lost.
  @inline(__always)
  private func disposition(of waiter: CoreRef, from core: CoreRef, isSole: Bool) -> Disposition {
    if !waiter.state.isPending { return .settle }
    if !waiter.traits.wantsOutcome(of: core.state) { return .forward }
    let place = waiter.place
    if place.isImmediate { return .run }
    guard isSole, place == fields.place, place.canContinue, fields.budget > 0 else { return .handOver }
    fields.budget -= 1
    return .run
  }
}

extension Waiter {
  /// Runs the callback, and settles the promise. If the gate of the callback is shut, suppresses the callback. The two
  /// branches are separate functions, so that neither branch needs the stack frame of the other.
  consuming func run(from source: CoreRef, in pass: Pass) {
    if isUnobserved(by: source) { runUnobserved(from: source, in: pass) } else { runObserved(from: source, in: pass) }
  }

  /// Runs the callback of a step that no other thread can see, without a compare-exchange on the words of the step.
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
    case .answer: OperationResult.failAsAnswer()
    }
    core.fields.state.store(StateWord.closed(outcome).bits, ordering: .relaxed)
    core.fields.count.store(0, ordering: .relaxed)
    core.destroyInPlace()
  }

  @inline(never)
  private consuming func runObserved(from source: CoreRef, in pass: Pass) {
    core.detach(source)
    if let claim = claim() { claim.settle(isToRun: true, from: source, in: pass) }
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
}
