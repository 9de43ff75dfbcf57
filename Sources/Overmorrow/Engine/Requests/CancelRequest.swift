/// A request that has been made to a core: what is to be done about it.
struct CancelRequest: Sendable {
  let handlers: CancelHandlers
  /// What the handlers are given.
  let producer: Producer?
  let inputs: WaitingSteps?
  /// The core whose vote is to be withdrawn, counted.
  let upstream: CoreRef?

  /// Tells the handlers and the inputs, and then withdraws the vote.
  ///
  /// - Returns: The core to ask next, if its last vote has gone.
  func run(for core: CoreRef) -> Owned? {
    handlers.run(for: core, producer)
    inputs?.requestCancel()
    return upstream.flatMap { core.passRequest(to: Owned(adopting: $0), handlers.interceptor) }
  }
}

extension SideTable {
  /// Makes a request: takes out what is to be done about it, or notes that the claim is missing. Once made, it is not made again.
  ///
  /// - Parameter producer: What the handlers are given, if no resolver is left.
  func request(_ producer: Producer?, of core: CoreRef) -> CancelRequest? {
    state.withLock { sideTable in
      if sideTable.isClosed || core.link.isAsked { return nil }
      var producer = producer
      if producer == nil, sideTable.handlers.needProducer {
        // If it has gone, and the promise adopts another one, one that can do nothing.
        producer = self.producer ?? ResolverObject.late(core)
        if producer == nil {
          guard sideTable.keepsClaim else {
            sideTable.requestWaits = true
            return nil
          }
          sideTable.keepsClaim = false
          producer = ResolverObject(core)
        }
      }
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
  /// Withdraws the vote on a core, or leaves to an interceptor when that is done.
  ///
  /// - Returns: The core, if it is to be asked next, as its last vote has gone.
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
