/// The functions with which a pass serves the cores and steps that wait in the pass.
extension Pass {
  // MARK: Lists

  /// Defers a core that was resolved by a call that nests too deep.
  func deferDraining(_ drainer: consuming Drainer) {
    fields.deferredCores.append(drainer)
    fields.hasDeferred = true
  }

  /// Defers a step that was registered by a call that nests too deep.
  func deferStep(_ step: consuming Waiter) {
    fields.deferredSteps.append(step)
    fields.hasDeferred = true
  }

  /// Appends a step of the main queue to those that will run in this pass.
  func join(_ step: consuming Waiter) { fields.mainSteps.append(step) }

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

  /// Runs a step that has kept its source.
  func run(_ step: consuming Waiter) {
    let source = step.takeSource()
    step.run(from: source.core, in: self)
  }

  /// Serves waiters of a core of which no waiter was served yet, until other work comes first or no waiter is left. The
  /// core is not on the stack.
  ///
  /// If there is only one waiter, one transition takes the waiter out and closes the list (I8). This short form does
  /// nothing if the waiter has to be handed over, or if other waiters were pushed meanwhile.
  @inline(__always)
  func serveWaiters(of drainer: consuming Drainer) {
    let (core, waiter) = (drainer.core, drainer.newestWaiter)
    if waiter.next == nil {
      let disposition = disposition(of: waiter, from: core, isSole: true)
      if disposition != .handOver, drainer.close(taking: waiter) {
        serve(waiter, from: core, disposition)
        return drainer.releasePendingCount()
      }
    }
    let first = drainer.takeWaiters()
    drain(drainer, from: first, isSecondList: false)
  }

  /// Serves waiters that were taken from a core. If waiters were pushed meanwhile, takes and serves these waiters, too,
  /// but only once (I9). The core is not on the stack when this function is called.
  ///
  /// This loop is the key of the whole engine, because each callback starts in a round of it, or in its short form
  /// above. Whatever a waiter resolves goes on top of the drain stack, and the loop returns, so that `serveAll`
  /// drains it first. Therefore no delivery runs inside another one, however long a chain is, and the waiters of a core
  /// start one after another, in the order of registration.
  private func drain(_ right: consuming Drainer, from first: CoreRef, isSecondList: Bool) {
    var drainer = right
    let core = drainer.core
    var (waiter, isSecondList) = (first, isSecondList)
    while true {
      let disposition = disposition(of: waiter, from: core, isSole: false)
      let following = waiter.next
      // The core is on the stack while a waiter is served, because a callback or an executor may ask what waits for
      // this thread.
      if let following {
        fields.drainStack.push(drainer, resumingWith: following, isSecondList)
        serve(waiter, from: core, disposition)
        // The cores that this waiter has resolved, and the work that its callback has deferred, come first.
        if fields.drainStack.first != core || fields.hasDeferred { return }
        drainer = fields.drainStack.takeBack(core)
        waiter = following
        continue
      }
      // This waiter is the last one that was taken. If it has to be handed over, this is done before the list is
      // closed, because the waiter must precede later waiters on its queue. If not, the list is closed before the
      // waiter is served.
      if disposition == .handOver {
        fields.drainStack.push(drainer)
        serve(waiter, from: core, disposition)
        drainer = fields.drainStack.takeBack(core)
      }
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

  // MARK: One waiter

  /// The way to serve a waiter whose source has resolved.
  enum Disposition {
    /// The waiter adopts the source, or was resolved from elsewhere.
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

extension Drainer {
  /// Leaves the remaining waiters to a thread of a global queue.
  @inline(never)
  fileprivate consuming func continueOnGlobalQueue() {
    let core = leave()
    // Unsafe: the queue runs this work once.
    Place.default.enqueue { Pass.serve(unsafe Drainer(of: core)) }
  }
}

extension Pass.List {
  mutating func append(_ waiter: consuming Waiter) {
    let step = waiter.leave()
    step.fields.next.value = nil
    if let tail {
      tail.fields.next.value = step
    } else {
      head = step
    }
    tail = step
  }

  mutating func remove() -> Waiter? {
    guard let step = head else { return nil }
    head = step.next
    if head == nil { tail = nil }
    // Unsafe: `append` has left the waiter in the list.
    return unsafe Waiter(of: step)
  }
}
