/// The functions with which a pass serves the cores and steps that wait in the pass.
extension Pass {
  // MARK: Lists

  /// Puts a core that was just resolved on top of the drain stack.
  @inline(__always)
  func drainNext(_ core: CoreRef) { fields.drainStack.push(core) }

  /// Defers a core that was resolved by a call that nests too deep.
  func deferDraining(of core: CoreRef) {
    fields.deferredCores.append(core)
    fields.hasDeferred = true
  }

  /// Defers a step that was registered by a call that nests too deep.
  func deferStep(_ step: CoreRef) {
    fields.deferredSteps.append(step)
    fields.hasDeferred = true
  }

  /// Appends a step of the main queue to those that will run in this pass.
  func join(_ step: CoreRef) { fields.mainSteps.append(step) }

  /// Runs one of the deferred steps. If no deferred step is left, pushes the deferred cores onto the drain stack, the
  /// first core on top.
  @inline(never)
  private func resumeDeferred() {
    if let step = fields.deferredSteps.remove() { return run(step) }
    fields.drainStack.push(fields.deferredCores)
    fields.deferredCores = DrainStack.Batch()
    fields.hasDeferred = false
  }

  // MARK: Serving

  /// Whether anything waits in this pass.
  @inline(__always)
  var hasMore: Bool {
    fields.drainStack.first != nil || fields.mainSteps.head != nil || fields.hasDeferred
  }

  /// Serves everything that waits in this pass, including what is added meanwhile, until nothing is left.
  @inline(never)
  func serveAll() {
    while true {
      if fields.hasDeferred {
        resumeDeferred()
      } else if let core = fields.drainStack.first {
        drain(core)
      } else if let step = fields.mainSteps.remove() {
        run(step)
      } else {
        return
      }
    }
  }

  /// Runs a step that has kept its source.
  func run(_ step: CoreRef) {
    let source = step.takeSource()
    step.runStep(from: source.core, in: self)
  }

  /// Serves waiters of the core on top of the stack, until other work comes first or no waiter is left.
  private func drain(_ core: CoreRef) {
    let (kind, waiter) = fields.drainStack.pop(core)
    if let waiter { return drain(core, from: waiter, isSecondList: kind == .resumeSecondList) }
    let newest = core.newestWaiter
    if newest.next == nil, drainSole(newest, of: core) { return }
    drain(core, from: core.takeWaiters(), isSecondList: false)
  }

  /// Serves the only waiter. One transition takes the waiter out and closes the list (I8). If the waiter has to be
  /// handed over, or if other waiters were pushed meanwhile, returns `false` and does nothing.
  @inline(__always)
  private func drainSole(_ waiter: CoreRef, of core: CoreRef) -> Bool {
    let disposition = disposition(of: waiter, from: core, isSole: true)
    guard disposition != .handOver, core.end(taking: waiter) else { return false }
    serve(waiter, from: core, disposition)
    core.endPending()
    return true
  }

  /// Serves waiters that were taken from a core. If waiters were pushed meanwhile, takes and serves these waiters, too,
  /// but only once (I9). The core is not on the stack when this function is called.
  private func drain(_ core: CoreRef, from first: CoreRef, isSecondList: Bool) {
    var (waiter, isSecondList) = (first, isSecondList)
    while true {
      let disposition = disposition(of: waiter, from: core, isSole: false)
      let following = waiter.next
      // The core is on the stack while a waiter is served, because a callback or an executor may ask what waits for
      // this thread.
      if let following {
        fields.drainStack.push(core, resumingWith: following, isSecondList)
        serve(waiter, from: core, disposition)
        // The cores that this waiter has resolved, and the work that its callback has deferred, come first.
        if fields.drainStack.first != core || fields.hasDeferred { return }
        _ = fields.drainStack.pop(core)
        waiter = following
        continue
      }
      // This waiter is the last one that was taken. If it has to be handed over, this is done before the list is
      // closed, because the waiter must precede later waiters on its queue. If not, the list is closed before the
      // waiter is served.
      if disposition == .handOver {
        fields.drainStack.push(core)
        serve(waiter, from: core, disposition)
        _ = fields.drainStack.pop(core)
      }
      let isEnd = core.end()
      if !isEnd, !isSecondList {
        isSecondList = true
        let more = core.takeWaiters()
        if disposition == .handOver { waiter = more } else { waiter.fields.next.value = more }
        continue
      }
      if disposition != .handOver { serve(waiter, from: core, disposition) }
      // The global queue continues only now, because later waiters must not be started before this one.
      if !isEnd { core.continueOnGlobalQueue() }
      return core.endPending()
    }
  }

  // MARK: One waiter

  /// The way to serve a waiter whose source has resolved.
  enum Disposition {
    /// The waiter adopts the source, or was resolved from elsewhere.
    case settle
    /// The waiter's callback is not for this result.
    case passOn
    /// The waiter's callback runs in this pass.
    case run
    /// The waiter is handed to its place, where its callback runs.
    case handOver
  }

  @inline(__always)
  private func serve(_ waiter: CoreRef, from core: CoreRef, _ disposition: Disposition) {
    switch disposition {
    case .settle: waiter.finishAdopting(core, in: self)
    case .passOn: waiter.passOn(from: core, in: self)
    case .run: waiter.runStep(from: core, in: self)
    case .handOver: Pass.handOver(waiter, from: core, joins: true)
    }
  }

  @inline(__always)
  private func disposition(of waiter: CoreRef, from core: CoreRef, isSole: Bool) -> Disposition {
    if !waiter.state.isPending { return .settle }
    if !waiter.wants(core) { return .passOn }
    return canRun(at: waiter.place, isSole: isSole) ? .run : .handOver
  }

  /// Returns whether a step can run at once in this pass, without being handed over. On a queue, only a sole waiter can
  /// run at once, because siblings may run in parallel on a concurrent queue. On the main queue, no step can run at
  /// once, because the steps of that queue must run in order of arrival.
  private func canRun(at place: Place, isSole: Bool) -> Bool {
    if place.isImmediate { return true }
    guard isSole, place == fields.place, place.canContinue, fields.budget > 0 else {
      return false
    }
    fields.budget -= 1
    return true
  }
}

extension CoreRef {
  /// Leaves the remaining waiters to a thread of a global queue, which becomes the drainer in place of the caller.
  @inline(never)
  fileprivate func continueOnGlobalQueue() {
    let core = Owned(self).leak()
    Place.default.enqueue { Pass.serve(core) }
  }
}

extension Pass.List {
  mutating func append(_ step: CoreRef) {
    step.fields.next.value = nil
    if let tail {
      tail.fields.next.value = step
    } else {
      head = step
    }
    tail = step
  }

  mutating func remove() -> CoreRef? {
    guard let step = head else { return nil }
    head = step.next
    if head == nil { tail = nil }
    return step
  }
}
