/// Requests to cancel: their way up a chain, and their handlers.
extension CoreRef {
  /// Asks the promise to cancel.
  ///
  /// The request goes up the chain in a loop, as far as the votes let it. Handlers run on the way.
  @usableFromInline
  package func requestCancel() {
    var upstream = requestCancelHere()
    var isEnded = state.isResolved
    while let next = upstream.take() {
      upstream = next.core.requestCancelHere()
      // A handler of the core below has ended that core before this core was asked.
      if isEnded { next.core.endIfUnobserved() }
      isEnded = next.core.state.isResolved
    }
    endIfUnobserved()
  }

  /// Asks only this core. Returns the core to ask next, or `nil` if the request does not go on.
  private func requestCancelHere() -> Owned? {
    if state.isResolved { return nil }
    switch changeLink({ $0.asking() }) {
    case .nothing: return nil
    case .withdraw(let address):
      // The word's count keeps the upstream core until `didWithdrawVote`, even if another thread detaches that core
      // meanwhile (R1).
      // Unsafe: the address is that of the upstream core.
      let upstream = unsafe CoreRef(address: address)
      let next = withdraw(from: upstream) ? Owned(upstream) : nil
      // The withdrawal returns the word's count if another thread has taken the address out of the word. That thread
      // serves this core, or has resolved it.
      if let count = finishWithdrawal(from: upstream), state.isResolved { leave(listOf: count.core) }
      return next
    case .useSideTable: return requestCancelInSideTable()
    }
  }

  /// Does the same as `requestCancelHere` for a core with a side table.
  @inline(never)
  private func requestCancelInSideTable() -> Owned? {
    guard let request = sideTable.request(of: self) else { return nil }
    return RequestLoop.run({ request.run(for: self) }, orLater: late(request))
  }

  /// Returns a closure that runs a deferred request, and then asks the cores that are to be asked next.
  private func late(_ request: Request) -> @Sendable () -> Void {
    let kept = Owned(self)
    return { request.run(for: kept.core)?.use { $0.requestCancel() } }
  }

  /// Completes the withdrawal of a vote, for which the word's count was used. Returns that count, if the word no longer
  /// needs it.
  private func finishWithdrawal(from upstream: CoreRef) -> Owned? {
    switch changeLink({ $0.didWithdrawVote(upstream.address) }) {
    case .nothing: return nil
    case .releaseCount: break
    case .useSideTable:
      let isKept = withSideTable { sideTable in
        guard sideTable.upstream?.core == upstream, sideTable.upstream?.isLent == true else { return false }
        sideTable.upstream?.isLent = false
        return true
      }
      if isKept { return nil }
    }
    // Unsafe: the word's count, which the word does not contain any more.
    return unsafe Owned(taking: upstream)
  }

  /// Withdraws this core's vote. A core with the trait `asks` has no vote, and only counts as a child that has asked.
  /// Returns `true` if the request goes on to `upstream`.
  func withdraw(from upstream: CoreRef) -> Bool {
    if traits.contains(.withdraws) {
      upstream.updateVotes { $0.withdrawing() }
    } else if traits.contains(.asks) {
      upstream.updateVotes { $0.asking() }
    } else {
      false
    }
  }

  /// Withdraws the vote on a core. If there is an interceptor, it decides when the vote is withdrawn.
  ///
  /// - Returns: The core to ask next; `nil` if the request does not go on, or if there is an interceptor.
  fileprivate func forwardRequest(to upstream: consuming Owned, _ interceptor: RequestInterceptor?) -> Owned? {
    if let interceptor {
      let core = Owned(self)
      let upstream = upstream
      interceptor(
        self,
        OneCall(atLatest: {
          if core.core.withdraw(from: upstream.core) { upstream.core.requestCancel() }
          core.core.interceptorDidEnd()
        }))
      return nil
    }
    if withdraw(from: upstream.core) { return upstream }
    return nil
  }

  /// Releases the interceptor of the only request, so that the core may end when it is no longer observed.
  private func interceptorDidEnd() {
    let spent = withSideTable { $0.interceptor.take() }
    withExtendedLifetime(spent) {}
    endIfUnobserved()
  }

  /// Adds a vote. Returns `false` if a request has already gone up.
  ///
  /// One change of the word decides which of the two is first, the request or this vote. The later change sees the
  /// earlier one.
  package func holdVote() -> Bool { updateVotes { $0.joining() } }

  /// Removes a vote that no longer matters. If the remaining children have all asked to cancel, this function may ask
  /// the promise to cancel.
  package func forgetVote() {
    if updateVotes({ $0.forgetting() }) { requestCancel() }
  }

  // MARK: The end of requests

  /// Ends the requests of a resolved promise. Releases the cancel handlers, ends the wait for another core, and
  /// notifies the rosters.
  @inline(never)
  func closeRequests(_ vote: VoteAtEnd) {
    switch changeLink({ $0.detaching($0.address) }) {
    case .nothing: break
    case .take(let address, let hasVote):
      // Unsafe: the word has just given its count away.
      stopWaiting(for: unsafe Owned(taking: CoreRef(address: address)), hasVote ? vote : .stays)
    case .useSideTable: closeSideTable(vote)
    }
  }

  private func closeSideTable(_ vote: VoteAtEnd = .isForgotten) {
    // The release of this value may run user code, so the value is released without the lock.
    let closed = sideTable.close()
    for listing in closed.rosters.elements { listing.roster.promiseDidResolve() }
    guard let upstream = closed.upstream, !upstream.isLent else { return }
    // Unsafe: the table has just given its count away.
    stopWaiting(for: unsafe Owned(taking: upstream.core), upstream.hasVote ? vote : .stays, closed.interceptor)
  }

  /// Ends the wait of this resolved core for another core.
  private func stopWaiting(for upstream: consuming Owned, _ vote: VoteAtEnd, _ interceptor: RequestInterceptor? = nil) {
    let upstream = upstream
    switch vote {
    case .isForgotten: if traits.has(.votes) { upstream.core.forgetVote() }
    case .isWithdrawn: forwardRequest(to: Owned(upstream.core), interceptor)?.use { $0.requestCancel() }
    case .stays: break
    }
    leave(listOf: upstream.core)
  }

  // MARK: Handlers

  /// Registers a handler for the request to cancel. If the promise resolves without a request, the handler never runs.
  ///
  /// The core must have been made with `hasHandlers`.
  ///
  /// - Parameters:
  ///   - resolver: The resolver object that the handlers receive; `nil` if this handler needs none.
  ///   - isKept: Whether the handler keeps a copy of the resolver until the request, or until the last handle ends.
  /// - Returns: `false` if the handler is not registered, because the promise was already asked or has resolved.
  package func addCancelHandler(
    _ handler: @escaping CancelHandlers.Handler, from resolver: ResolverClaim?, keepingResolver isKept: Bool = false
  ) -> Bool {
    if state.isResolved || !sideTable.add(handler, from: resolver, to: self, isKept: isKept) { return false }
    // One change of the word decides whether the end of the last handle or this call is later. The later one releases
    // the copy.
    if isKept, updateVotes({ ($0.keepingResolver(), $0.isSealed) }) { releaseKeptResolver() }
    // The handler is in the list. If the promise has resolved meanwhile, its resolver object may have checked the list
    // too early.
    if stateInTotalOrder.isResolved { closeSideTable() }
    return true
  }

  /// Releases the copy of the resolver that handlers keep, if there is one. If this was the last copy, the promise is
  /// cancelled.
  @inline(never)
  func releaseKeptResolver() { _ = withSideTable { $0.keptResolver.take() } }

  /// Makes the core receive a request as soon as all children have asked, even while a handle exists. The handle is not
  /// shared yet.
  package func forwardRequestsWhileHeld() { updateVotes { ($0.goingUpWhileHeld(), ()) } }

  /// Forwards requests as soon as all children have asked, even while a handle exists. The interceptor decides when
  /// each request is forwarded, and then calls `forward` once.
  ///
  /// The caller has just registered the core, and has not shared its handle yet.
  package func interceptRequests(_ interceptor: @escaping RequestInterceptor) {
    forwardRequestsWhileHeld()
    // If the core waits for nothing, it has resolved, so a request has no effect.
    if link.address == 0 { return }
    withSideTable { sideTable in
      if sideTable.upstream != nil { sideTable.interceptor = interceptor }
    }
  }
}

// MARK: - The work of one request

/// The work of one request to a core.
private struct Request: Sendable {
  let handlers: CancelHandlers
  /// The resolver object that the handlers receive. The request retains it, so that no handler releases the last
  /// resolver before the later handlers have run.
  let resolver: ResolverClaim?
  let inputs: WaitingSteps?
  /// The core on which to withdraw the vote, with a count; `nil` if there is no vote to withdraw.
  let upstream: CoreRef?
  let interceptor: RequestInterceptor?

  /// Runs the handlers, asks the inputs, and then withdraws the vote.
  ///
  /// - Returns: The core to ask next; `nil` if there is none.
  func run(for core: CoreRef) -> Owned? {
    handlers.run(for: core, resolver)
    inputs?.requestCancel()
    // Unsafe: the request has the count.
    return upstream.flatMap { core.forwardRequest(to: unsafe Owned(taking: $0), interceptor) }
  }
}

extension SideTable {
  /// Makes the request, and returns its work. Returns `nil` if the request was made before, or if the promise has
  /// resolved.
  fileprivate func request(of core: CoreRef) -> Request? {
    state.withLock { sideTable in
      if sideTable.isClosed || core.link.isAsked { return nil }
      core.markAskedInSideTable()
      let handlers = sideTable.handlers
      sideTable.handlers = CancelHandlers()
      let resolver = sideTable.keptResolver.take() ?? resolver
      let upstream = sideTable.upstream.flatMap { $0.hasVote ? Owned($0.core).leak() : nil }
      sideTable.upstream?.hasVote = false
      return Request(
        handlers: handlers, resolver: handlers.isEmpty ? nil : resolver ?? ResolverObject.withoutClaim(of: core),
        inputs: sideTable.inputs, upstream: upstream, interceptor: sideTable.interceptor)
    }
  }
}
