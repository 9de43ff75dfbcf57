/// The work of one request to a core.
struct CancelRequest: Sendable {
  let handlers: CancelHandlers
  /// The producer that the handlers receive.
  let producer: Producer?
  let inputs: WaitingSteps?
  /// The core on which to withdraw the vote, counted.
  let upstream: CoreRef?

  /// Runs the handlers, asks the inputs, and then withdraws the vote.
  ///
  /// - Returns: The core to ask next, if its last vote was withdrawn.
  func run(for core: CoreRef) -> Owned? {
    handlers.run(for: core, producer)
    inputs?.requestCancel()
    return upstream.flatMap { core.passRequest(to: Owned(adopting: $0), handlers.interceptor) }
  }
}

extension SideTable {
  /// Makes the request, unless it was made before. Returns the work of the request. If the claim is missing, this
  /// records that the request waits, and returns `nil`.
  ///
  /// - Parameter producer: The producer for the handlers, from a caller that has the claim because no resolver is left.
  func request(_ producer: Producer?, of core: CoreRef) -> CancelRequest? {
    state.withLock { sideTable in
      if sideTable.isClosed || core.link.isAsked { return nil }
      var producer = producer
      if producer == nil, sideTable.handlers.needProducer {
        // If the producer no longer exists and the promise adopts another one, the handlers get a producer without the
        // claim.
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
  /// Withdraws the vote on a core, or lets an interceptor decide when.
  ///
  /// - Returns: The core, if its last vote was withdrawn, so that it must be asked next.
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
