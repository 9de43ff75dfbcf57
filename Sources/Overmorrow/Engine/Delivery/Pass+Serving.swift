/// What a pass does with what waits in it.
extension Pass {
  // MARK: Lists

  /// Drains a core that has just been resolved next, before all that waits.
  @inline(__always)
  func drainNext(_ core: CoreRef) { fields.drainStack.push(core) }

  /// Puts off a core that has been resolved by a call that nests too deep.
  func deferDraining(of core: CoreRef) {
    fields.deferredCores.append(core)
    fields.hasDeferred = true
  }

  /// Puts off a step that has been registered by a call that nests too deep.
  func deferStep(_ step: CoreRef) {
    fields.ready.append(step)
    fields.hasDeferred = true
  }

  /// Puts a step of the main queue behind those that are to run in this pass.
  func join(_ step: CoreRef) { fields.ready.append(step) }

  /// Runs one of the steps that have been put off or, after them, puts the cores on the drainStack, the first one on top.
  @inline(never)
  private func resumeDeferred() {
    if let step = fields.ready.remove() { return run(step) }
    fields.drainStack.push(fields.deferredCores)
    fields.deferredCores = DrainStack.Batch()
    fields.hasDeferred = false
  }

  // MARK: Serving

  /// Whether anything waits in this pass.
  @inline(__always)
  var hasMore: Bool {
    fields.drainStack.first != nil || fields.ready.head != nil || fields.hasDeferred
  }

  /// Serves whatever waits, and what comes of it, until nothing is left.
  @inline(never)
  func serveAll() {
    while true {
      if fields.hasDeferred {
        resumeDeferred()
      } else if let core = fields.drainStack.first {
        drain(core)
      } else if let step = fields.ready.remove() {
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

  /// Serves waiters of the core on top of the drainStack, until something else comes first or none is left.
  private func drain(_ core: CoreRef) {
    let (kind, waiter) = fields.drainStack.pop(core)
    if let waiter { return drain(core, from: waiter, isSecondList: kind == .resumeSecondList) }
    let newest = core.newestWaiter
    if newest.next == nil, drainSole(newest, of: core) { return }
    drain(core, from: core.takeWaiters(), isSecondList: false)
  }

  /// Serves the only waiter, taking it out and closing the list by one change (I8); `false` if it has to be handed over, or
  /// others have come meanwhile.
  @inline(__always)
  private func drainSole(_ waiter: CoreRef, of core: CoreRef) -> Bool {
    let disposition = disposition(of: waiter, from: core, isSole: true)
    guard disposition != .handOver, core.end(taking: waiter) else { return false }
    serve(waiter, from: core, disposition)
    core.endPending()
    return true
  }

  /// Serves waiters that were taken from a core, which is not on the drainStack; and those who have come meanwhile, once (I9).
  private func drain(_ core: CoreRef, from first: CoreRef, isSecondList: Bool) {
    var (waiter, isSecondList) = (first, isSecondList)
    while true {
      let disposition = disposition(of: waiter, from: core, isSole: false)
      let following = waiter.next
      // On the drainStack meanwhile: a callback, or an executor, may ask what waits for this thread.
      if let following {
        fields.drainStack.push(core, resumingWith: following, isSecondList)
        serve(waiter, from: core, disposition)
        // What hangs on that waiter comes first, and what its callback has put off.
        if fields.drainStack.first != core || fields.hasDeferred { return }
        _ = fields.drainStack.pop(core)
        waiter = following
        continue
      }
      // On a queue, it has to be before those that register when the list is closed; elsewhere it is called right afterwards.
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
      // Only now, as those who have come must not be started before this waiter.
      if !isEnd { core.continueOnGlobalQueue() }
      return core.endPending()
    }
  }

  // MARK: One waiter

  /// What becomes of a waiter now that its source has resolved.
  enum Disposition {
    /// It adopts the source, or has been resolved from the side.
    case settle
    /// It does not want this result.
    case passOn
    /// Its callback runs here.
    case run
    /// Its callback runs elsewhere.
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

  /// Whether a step need not be handed over. On a queue only the one that has no siblings may follow, as the queue may be
  /// concurrent and siblings may run side by side on it; and none on the main queue, where all that follow are in line.
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
  /// Leaves the waiters that have come to a thread of a global queue. The caller is the drainer, and is it no more.
  @inline(never)
  fileprivate func continueOnGlobalQueue() {
    let core = Owned(self).leak()
    Place(.default).enqueue { Pass.serve(core) }
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
