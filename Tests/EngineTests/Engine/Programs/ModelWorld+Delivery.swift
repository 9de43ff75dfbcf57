import Overmorrow

/// The delivery of results in the model.
extension ModelWorld {
  // MARK: Registering

  func register(_ step: ModelPromise, on source: ModelPromise) {
    if let result = source.result, !source.isServing {
      // All earlier observers have been started.
      if !step.wants(result) {
        forwardResult(step, from: source, in: nil)
      } else if step.context == .executor {
        work.append(.step(step, from: source))
      } else {
        inPass { run(step, from: source, in: $0) }
      }
      return
    }
    if step.kind?.votes == true { source.votes.insert(ObjectIdentifier(step)) }
    step.recipients = [.upstream(source)]
    step.waitsFor = source
    source.waiters.append(step)
  }

  // MARK: Passes

  /// Runs a closure, and then delivers everything that it has added to the pass.
  func inPass(_ body: (ModelPass) -> Void) {
    let pass = ModelPass()
    body(pass)
    serveAll(in: pass)
  }

  /// Runs a turn of a global queue.
  func continueOnQueue() {
    let promise = leftToQueue.removeFirst()
    inPass { $0.waiting.append(.resolved(promise)) }
  }

  /// Delivers depth first (2.7).
  private func serveAll(in pass: ModelPass) {
    while !pass.waiting.isEmpty {
      switch pass.waiting.removeFirst() {
      case .resolved(let promise): serveWaiters(of: promise, in: pass)
      case .step(let step, let source): run(step, from: source, in: pass)
      }
    }
  }

  /// Delivers to the waiters one at a time, each together with its dependents, and then once more to those registered
  /// in the meantime (2.5, 2.7).
  private func serveWaiters(of promise: ModelPromise, in pass: ModelPass) {
    var isSecondList = false
    var batch = promise.waiters
    promise.waiters = []
    while !batch.isEmpty {
      events.mayBeInterrupted()
      let waiter = batch.removeFirst()
      let isHandedOver = isToBeHandedOver(waiter, from: promise)
      // The list is closed right before the last waiter is called, or right after the last waiter has been submitted.
      if isHandedOver {
        serve(waiter, from: promise, in: pass)
        events.mayBeInterrupted()
      }
      if batch.isEmpty {
        if promise.waiters.isEmpty {
          promise.isServing = false
        } else if !isSecondList {
          isSecondList = true
          (batch, promise.waiters) = (promise.waiters, [])
        } else {
          events.leavesRestToQueue()
          leftToQueue.append(promise)
        }
      }
      if !isHandedOver { serve(waiter, from: promise, in: pass) }
      serveAll(in: pass)
    }
  }

  private func isToBeHandedOver(_ waiter: ModelPromise, from source: ModelPromise) -> Bool {
    waiter.isStepToRun && waiter.wants(source.result!) && waiter.context != .immediate
  }

  private func serve(_ waiter: ModelPromise, from source: ModelPromise, in pass: ModelPass) {
    events.mayBeInterrupted()
    if waiter.isClaimed || waiter.result != nil { return finishAdopting(waiter, source, in: pass) }
    if !waiter.wants(source.result!) { return forwardResult(waiter, from: source, in: pass) }
    if waiter.context == .immediate { return run(waiter, from: source, in: pass) }
    work.append(.step(waiter, from: source))
  }

  // MARK: Steps

  func run(_ step: ModelPromise, from source: ModelPromise, in pass: ModelPass) {
    events.mayBeInterrupted()
    if step.gate?.isShut == true { return forwardResult(step, from: source, in: pass) }
    stopWaiting(step)
    guard step.claim() else { return }
    if step.isOfCombinator {
      report(step, source.result!)
      return publish(step, .cancelled, in: pass)
    }
    tell(step.callback, source.result!)
    if let target = step.target {
      // The callback returned the target, and has retained it until now.
      step.target = nil
      adopt(step, target, in: pass)
      release(target)
    } else {
      publish(step, step.transformed(source.result!), in: pass)
    }
  }

  func forwardResult(_ step: ModelPromise, from source: ModelPromise, in pass: ModelPass?) {
    stopWaiting(step)
    guard step.claim() else { return }
    dropCallback(of: step)
    publish(step, step.passed(source.result!), in: pass)
  }

  /// Releases the objects that the callback of a step retains.
  func dropCallback(of step: ModelPromise) {
    let (target, gathering) = (step.target, step.reportsTo)
    (step.target, step.reportsTo) = (nil, nil)
    if let target { release(target) }
    if let gathering { release(gathering) }
  }

  /// Ends a step whose callback is suppressed, if nothing observes it. Its vote remains, unless the step has received a
  /// request to cancel.
  ///
  /// The promise that it was waiting for may end in the same way.
  func endIfUnobserved(_ step: ModelPromise) {
    guard step.result == nil else { return }
    guard step.isSuppressed else {
      if step.affectsNothing { step.upstream.forEach(endIfUnobserved) }
      return
    }
    guard !step.isClaimed, step.isUnobserved else { return }
    step.waiters = []
    let source = step.waitsFor
    stopWaiting(step)
    resolve(step, .cancelled)
    step.recipients = []
    // A vote is identified by its step's address.
    if source?.votes.contains(ObjectIdentifier(step)) == true { endedWithVote.append(step) }
    if let source {
      source.removeEnded()
      endIfUnobserved(source)
    }
  }

  private func stopWaiting(_ promise: ModelPromise) {
    promise.waitsFor = nil
    promise.recipients.removeAll(where: \.isUpstream)
  }

  // MARK: Resolving

  /// Gives the promise its result.
  private func resolve(_ promise: ModelPromise, _ result: ProgramResult) {
    promise.result = result
    promise.isClaimed = true
    promise.isAdopting = false
    promise.isServing = !promise.waiters.isEmpty
  }

  func publish(_ promise: ModelPromise, _ result: ProgramResult, in pass: ModelPass?) {
    resolve(promise, result)
    promise.recipients = []
    if let upstream = promise.waitsFor {
      // The promise was resolved by another call: its vote is dropped without a request, or was already withdrawn by
      // one.
      promise.waitsFor = nil
      if !promise.isAsked {
        upstream.votes.remove(ObjectIdentifier(promise))
        if upstream.requestGoesUp { requestCancel(upstream) }
      }
      upstream.removeEnded()
      endIfUnobserved(upstream)
    }
    guard promise.isServing else { return }
    if let pass {
      pass.waiting.insert(.resolved(promise), at: 0)
    } else {
      inPass { $0.waiting.append(.resolved(promise)) }
    }
  }

  func adopt(_ promise: ModelPromise, _ inner: ModelPromise, in pass: ModelPass?) {
    if inner === promise { return publish(promise, .cancelled, in: pass) }
    if let result = inner.result, !inner.isServing { return publish(promise, result, in: pass) }
    promise.isAdopting = true
    promise.waitsFor = inner
    inner.votes.insert(ObjectIdentifier(promise))
    inner.waiters.append(promise)
    if promise.isAsked {
      if withdraw(promise, from: inner) { requestCancel(inner) }
    } else {
      promise.recipients.append(.upstream(inner))
    }
    if promise.result == nil, waits(inner, for: promise) { publish(promise, .cancelled, in: nil) }
  }

  private func finishAdopting(_ promise: ModelPromise, _ inner: ModelPromise, in pass: ModelPass) {
    guard promise.isAdopting else { return }
    stopWaiting(promise)
    publish(promise, inner.result!, in: pass)
  }

  private func waits(_ promise: ModelPromise, for other: ModelPromise) -> Bool {
    promise.upstream.contains { $0 === other || waits($0, for: other) }
  }

  // MARK: Cancelling

  func requestCancel(_ promise: ModelPromise) {
    let next = promise.result == nil && !promise.isAsked ? requestCancelHere(promise) : nil
    if let next { requestCancel(next) }
    endIfUnobserved(promise)
  }

  /// - Returns: The promise to ask next, if any.
  private func requestCancelHere(_ promise: ModelPromise) -> ModelPromise? {
    let recipients = promise.recipients
    let own = recipients.lazy.compactMap { if case .handler(let handler) = $0 { handler.resolver } else { nil } }.first
    let isWithoutResolver = own?.holders == 0
    promise.isAsked = true
    promise.recipients = []
    // All handlers receive the same resolver. If the promise is adopting another one, that resolver can do nothing.
    let isIdle = isWithoutResolver && promise.isAdopting
    let resolver = isIdle ? ModelResolver(promise: promise, isIdle: true) : own
    resolver?.holders += 1
    var next: ModelPromise?
    for recipient in recipients {
      events.mayBeInterrupted()
      switch recipient {
      case .handler(var handler):
        handler.resolver = resolver ?? handler.resolver
        run(handler)
      case .gathering(let gathering): requestCancel(of: gathering)
      case .upstream(let upstream): if withdraw(promise, from: upstream) { next = upstream }
      }
    }
    if let resolver { release(resolver) }
    return next
  }

  private func withdraw(_ promise: ModelPromise, from upstream: ModelPromise) -> Bool {
    if promise.kind?.withdraws ?? true {
      upstream.votes.remove(ObjectIdentifier(promise))
    } else if promise.kind != .onCancel {
      return false
    }
    upstream.hasChildAsked = true
    return upstream.requestGoesUp
  }

  /// Runs a handler, or submits it to its context.
  func run(_ handler: ModelHandler) {
    guard mayRun(handler) else { return }
    events.mayBeInterrupted()
    if handler.context == .immediate { return runNow(handler) }
    // The queued work will receive the resolver, so it counts as a holder.
    handler.resolver.holders += 1
    work.append(.handler(handler))
  }

  func runNow(_ handler: ModelHandler) {
    if mayRun(handler) { holding(handler.resolver) { _ in tell(handler.callback, nil) } }
  }

  /// Whether the promise is neither fulfilled nor rejected (3.1). An earlier handler of the same request may have
  /// cancelled it.
  private func mayRun(_ handler: ModelHandler) -> Bool {
    let result = handler.resolver.promise.result
    return result == nil || result == .cancelled
  }
}
