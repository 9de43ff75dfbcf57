/// The work of one request to a core.
struct CancelRequest: Sendable {
  let handlers: CancelHandlers
  /// The producer that the handlers receive.
  let producer: Producer?
  let inputs: WaitingSteps?
  /// The core on which to withdraw the vote, with a count; `nil` if there is no vote to withdraw.
  let upstream: CoreRef?

  /// Runs the handlers, asks the inputs, and then withdraws the vote.
  ///
  /// - Returns: The core to ask next; `nil` if there is none.
  func run(for core: CoreRef) -> Owned? {
    handlers.run(for: core, producer)
    inputs?.requestCancel()
    return upstream.flatMap { core.passRequest(to: Owned(adopting: $0), handlers.interceptor) }
  }
}

extension SideTable {
  /// Makes the request, and returns its work. Returns `nil` if the request was made before, or if the promise has
  /// resolved.
  func request(of core: CoreRef) -> CancelRequest? {
    state.withLock { sideTable in
      if sideTable.isClosed || core.link.isAsked { return nil }
      // If the producer no longer exists, there are two cases. If the promise adopts another one, the handlers get a
      // producer without the claim. If not, the end of the producer is about to cancel the promise, and the handlers
      // that need a producer do not run.
      let producer = sideTable.handlers.needProducer ? self.producer ?? ResolverObject.late(core) : nil
      core.markAskedInSideTable()
      let upstream = sideTable.upstream.flatMap { $0.hasVote ? Owned($0.core).leak() : nil }
      sideTable.upstream?.hasVote = false
      defer { sideTable.handlers = CancelHandlers() }
      return CancelRequest(
        handlers: sideTable.handlers, producer: producer, inputs: sideTable.inputs, upstream: upstream)
    }
  }
}

extension CoreRef {
  /// Withdraws the vote on a core. If there is an interceptor, it decides when the vote is withdrawn.
  ///
  /// - Returns: The core to ask next; `nil` if the request does not go on, or if there is an interceptor.
  func passRequest(
    to upstream: consuming Owned, _ interceptor: ((_ core: CoreRef, _ passOn: OneCall) -> Void)?
  ) -> Owned? {
    if let interceptor {
      let core = Owned(self)
      let upstream = upstream
      interceptor(
        self, OneCall(atLatest: { if core.core.withdraw(from: upstream.core) { upstream.core.requestCancel() } }))
      return nil
    }
    if withdraw(from: upstream.core) { return upstream }
    return nil
  }
}
