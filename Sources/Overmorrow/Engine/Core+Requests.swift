/// Requests to cancel: how they travel, and who hears of them.
extension CoreRef {
  /// Asks to cancel. The caller holds a count, or has the handle.
  ///
  /// The request goes up the chain in a loop, as far as the votes let it; handlers run on the way.
  /// - Parameter isSettling: Whether this core is cancelled at once if it is suspended. Those above it always are.
  @usableFromInline
  func requestCancel(isSettling: Bool = true) {
    var core = self
    // A count that this loop has on the core.
    var isOwned = false
    var held: [CoreRef] = []
    while true {
      let upstream = core.requestCancelHere()
      if isSettling || isOwned, core.stateInTotalOrder.isHeld {
        core.retain()
        held.append(core)
      }
      if isOwned { core.release() }
      guard let upstream else { break }
      core = upstream
      isOwned = true
    }
    // From above: what is still suspended there must not be let go because its observers are gone.
    for core in held.reversed() {
      core.cancelHeld()
      core.release()
    }
    endUnseen()
  }

  /// Asks this core only; the core to ask next, with a count, if its last vote has gone.
  private func requestCancelHere() -> CoreRef? {
    if state.isResolved { return nil }
    let action = updateRequest { $0.asking(havingLookedAt: 0, thatKeep: 0) }
    return action == .lookAtHandlers ? requestCancelOfHandlers() : tell(action, nil)
  }

  /// The same for a core that has cancel handlers.
  ///
  /// - Parameter producer: What the handlers are given, if nobody else has a resolver.
  @inline(never)
  func requestCancelOfHandlers(_ producer: Producer? = nil) -> CoreRef? {
    var producer = producer
    // Who goes on adding handlers cannot keep a request from them: with a producer, any list will do in the end. It will do at
    // once if that has the claim, as then nothing is adopted.
    var looks = producer == nil ? 0 : Self.mostLooks
    // A list, with a reference; and what is adopted, with a count.
    var (seen, adopted): (UInt, CoreRef?) = (0, nil)
    while true {
      let isAny = producer != nil && looks >= Self.mostLooks
      let action = updateRequest {
        isAny ? $0.asking() : $0.asking(havingLookedAt: seen, thatKeep: adopted?.address ?? 0)
      }
      let isSeen = action == .runHandlers(seen)
      // With the handlers, the word's reference to them is taken out; and the count is left there instead.
      if seen != 0 { CancelHandler.release(seen, isLast: !isSeen) }
      if isAny || !isSeen { adopted?.release() }
      guard action == .lookAtHandlers else { return tell(action, producer, isKept: isSeen && !isAny) }
      looks += 1
      let (core, handlers) = borrowRequests()
      core?.release()
      seen = handlers ?? 0
      adopted = CancelHandler.adopted(in: seen)
      adopted?.retain()
      if let asked = CancelHandler.firstAnswer(in: seen) {
        producer = asked.producer(for: self) ?? takeClaimForRequest()
        if producer == nil {
          // Whoever has the claim asks again.
          CancelHandler.release(seen, isLast: true)
          adopted?.release()
          return nil
        }
      }
    }
  }

  /// How often a list of handlers is looked at that changes all the time.
  private static var mostLooks: Int { 8 }

  /// Tells whoever is to be told: handlers with a producer, if one of them needs it.
  ///
  /// - Parameter isKept: Whether what is adopted is in the word.
  @inline(__always)
  private func tell(_ action: RequestWord.Action, _ producer: Producer?, isKept: Bool = false) -> CoreRef? {
    switch action {
    case .tellUpstream(let address):
      // The word's count keeps the core until `told`, whoever detaches it meanwhile (R1).
      let upstream = CoreRef(address: address)
      let goesOn = withdraw(from: upstream)
      if goesOn { upstream.retain() }
      if updateRequest({ $0.told(address) }) != .nothing {
        // Taken out by whoever serves this core, or has resolved it.
        if state.isResolved { leave(listOf: upstream) }
        upstream.release()
      }
      return goesOn ? upstream : nil
    case .runHandlers(let address):
      if !isKept, let adopted = CancelHandler.adopted(in: address) { keepWithoutVote(adopted) }
      return RequestLoop.run(address, for: self, producer)
    default: return nil
    }
  }

  /// What is adopted stays in the word, without a vote, so that a cycle can be seen, and a promise resumed, whatever the handlers
  /// do. The caller has just taken the handlers out, without having seen all of them before.
  private func keepWithoutVote(_ adopted: CoreRef) {
    adopted.retain()
    guard updateRequest({ $0.attaching(adopted.address) }) == .tellAtOnce else { return adopted.release() }
    // E7: it may have been detached while it was not there, by a thread that then publishes; one of the two sees the other.
    if stateInTotalOrder.isResolved { closeRequestsSlowly() }
    // Who closed a cycle meanwhile has not seen this link.
    breakCycle(through: adopted)
  }

  /// Takes this core's vote back; `true` if the request is to go on upstream. The caller holds a count on both.
  func withdraw(from upstream: CoreRef) -> Bool {
    if traits.contains(.withdraws) {
      withdrawVote(from: upstream)
    } else if traits.contains(.asks) {
      upstream.updateVotes { $0.asking() }
    } else {
      false
    }
  }

  private func withdrawVote(from upstream: CoreRef) -> Bool {
    let (votes, passesOn) = upstream.updateVotes { word in
      let withdrawn = word.withdrawing()
      return (withdrawn.word, withdrawn)
    }
    // Those who are left may all be suspended.
    if !passesOn, votes.hasSuspendedChild { Suspensions.observerDidLeave(self, upstream) }
    return passesOn
  }

  /// Gives a vote, and a count that goes with it; `false` if the votes so far have sent a request up already.
  ///
  /// One change of the word decides: either the request or this vote comes first, and the other one knows.
  func holdVote() -> Bool {
    guard updateVotes({ $0.joining() }) else { return false }
    retain()
    return true
  }

  /// Takes back a vote that does not matter any more. The caller holds a count.
  func forgetVote() {
    let (votes, passesOn) = updateVotes { word in
      let forgotten = word.forgetting()
      return (forgotten.word, forgotten)
    }
    if passesOn { requestCancel() } else if votes.isForlorn { cancelForlorn() }
    // Those who are left may all be suspended.
    if !passesOn, votes.hasSuspendedChild { Suspensions.observersDidChange(of: self) }
  }

  // MARK: The end of requests

  /// Forgets the cancel handlers, or whoever is still to be told, and tells the rosters: the promise is resolved (R2).
  ///
  /// There is mostly nobody, and then nothing is written. Whoever adds a handler or a roster later looks at the phase
  /// afterwards, and both looks are in the total order of E7: one of the two sees the other.
  @inline(__always)
  func closeRequests() {
    // Unsafe: the caller holds a count.
    let request = unsafe pointer.pointee.request.load(ordering: .sequentiallyConsistent)
    let rosters = unsafe pointer.pointee.rosters.load(ordering: .sequentiallyConsistent)
    if RequestWord(bits: request | rosters).address != 0 { closeRequestsSlowly() }
  }

  @inline(never)
  private func closeRequestsSlowly() {
    tellRosters()
    // Relaxed: whoever has come here knows what it has seen, or done. Unsafe: as above.
    if unsafe RequestWord(bits: pointer.pointee.request.load(ordering: .relaxed)).address == 0 { return }
    switch updateRequest({ $0.closing() }) {
    case .discardHandlers(let address): CancelHandler.discard(address, of: self)
    case .forgetUpstream(let address): forget(CoreRef(address: address))
    case .releaseUpstream(let address): letGo(of: CoreRef(address: address))
    default: break
    }
  }

  /// Takes back the vote, if there is one, on a core that this one, which is resolved, does not wait for any more; and the count.
  private func forget(_ upstream: CoreRef) {
    if traits.has(.votes) { upstream.forgetVote() }
    letGo(of: upstream)
  }

  /// The same for a core on which there is no vote.
  private func letGo(of upstream: CoreRef) {
    leave(listOf: upstream)
    upstream.release()
  }

  // MARK: Handlers

  /// Registers something to be told when cancelling is requested: at once if it has been, never once resolved.
  ///
  /// The core must have been made with `hasHandlers`.
  /// - Returns: `false` if the promise had resolved before.
  @discardableResult
  func addCancelHandler(_ handler: CancelHandler) -> Bool {
    if state.isResolved { return false }
    switch add(handler) {
    case .tellAtOnce: handler.tellAtOnce(for: self)
    case .refused: return false
    // It is in the list; if the promise has resolved meanwhile, its producer may have looked too early.
    default: if stateInTotalOrder.isResolved { closeRequestsSlowly() }
    }
    return true
  }

  /// Passes requests on as soon as all children have asked, even while a handle exists, and lets `interceptor` decide
  /// when: it calls `passOn`, once, after having told whom it has to tell.
  ///
  /// Called right after the core was registered, before anybody else has its handle.
  func interceptRequests(_ interceptor: @escaping @Sendable (_ core: CoreRef, _ passOn: PassOn) -> Void) {
    updateVotes { ($0.passingOnWhileHeld(), ()) }
    // Relaxed: the change looks at it again. Unsafe: the caller has the handle.
    let word = unsafe RequestWord(bits: pointer.pointee.request.load(ordering: .relaxed))
    // Nothing to wait for: resolved already, so a request will not mean anything.
    guard word.kind == .upstream, word.address != 0 else { return }
    // Refused if the source has been detached meanwhile. Otherwise who detaches it, or closes the word, finds the handler.
    _ = CancelHandler(.intercept(CoreRef(address: word.address), interceptor)).replace(word.address, in: self)
  }

  /// Puts a handler into the list; what is not taken is the caller's to deal with.
  func add(_ handler: CancelHandler) -> RequestWord.Action {
    while true {
      let action = handler.offer(to: self)
      guard case .occupied(let upstream) = action else { return action }
      // The core adopts already: its vote becomes a handler like the others.
      let vote = CancelHandler(.withdraw(CoreRef(address: upstream)))
      _ = vote.replace(upstream, in: self)
    }
  }

  // MARK: Without a resolver

  /// Keeps the claim and the count of a producer whose resolvers are gone, for a handler that will be given a resolver;
  /// refused if there is none, or nobody who could ask. Afterwards the core may have ended.
  func waitForRequest() -> VoteWord.Waiting {
    guard let handlers = borrowHandlers(), handlers.containAnswer else { return .refused }
    return updateVotes { $0.waitingForRequest() }
  }

  /// A producer for a core that waits for a request, once. Otherwise whoever has the claim will ask.
  private func takeClaimForRequest() -> Producer? {
    updateVotes { $0.askingForClaim() } ? Producer(self) : nil
  }

  /// Nobody is left who could ask.
  @inline(never)
  func cancelForlorn() {
    guard updateVotes({ $0.endingWait() }) else { return }
    noteResolversGone()
    publish(.cancelled, in: nil)
  }

  // MARK: Borrowing

  /// What this core waits for. Each is counted for the caller.
  func retainUpstream() -> [CoreRef] {
    let (core, handlers) = borrowRequests()
    var found = core.map { [$0] } ?? []
    if let handlers { found += CancelHandler.Nodes(owned: handlers).retainUpstream() }
    // Unsafe: in a core that gathers, this field never changes once anybody but its creator has seen the core.
    if traits.contains(.gathers), let steps = unsafe pointer.pointee.gate?.steps { found += steps.retainCores() }
    return found
  }

  /// The producers to be told of a suspension.
  func producerControls() -> [ProducerControl] {
    guard let handlers = borrowHandlers() else { return [] }
    return handlers.controls
  }

  /// The handlers, to be looked at; `nil` if the word leads to none.
  private func borrowHandlers() -> CancelHandler.Nodes? {
    let (core, handlers) = borrowRequests()
    core?.release()
    if let handlers { return CancelHandler.Nodes(owned: handlers) }
    return nil
  }

  /// What the word leads to, to be looked at in peace: the core that this one waits for, counted for the caller, or the
  /// address of the last handler, with a reference for the caller.
  private func borrowRequests() -> (core: CoreRef?, handlers: UInt?) {
    // Unsafe, in here: the caller holds a count on this core.
    if unsafe RequestWord(bits: pointer.pointee.request.load(ordering: .sequentiallyConsistent)).address == 0 {
      return (nil, nil)
    }
    return Borrowing.borrow(from: self) {
      // Nobody else borrows it, as that takes the lock. Relaxed: the exchange looks at it again.
      var old = unsafe pointer.pointee.request.load(ordering: .relaxed)
      while let borrowed = RequestWord(bits: old).borrowing() {
        let (exchanged, current) = unsafe pointer.pointee.request.weakCompareExchange(
          expected: old, desired: borrowed.bits, successOrdering: .acquiring, failureOrdering: .relaxed)
        guard exchanged else {
          old = current
          continue
        }
        let word = RequestWord(bits: old)
        let found: (CoreRef?, UInt?)
        if word.kind == .handlers {
          found = (nil, CancelHandler.retain(word.address))
        } else {
          CoreRef(address: word.address).retain()
          found = (CoreRef(address: word.address), nil)
        }
        // The count is made before anybody takes the address out (E6).
        unsafe pointer.pointee.request.bitwiseAnd(~RequestWord.borrowedBit, ordering: .releasing)
        return found
      }
      return (nil, nil)
    }
  }
}
