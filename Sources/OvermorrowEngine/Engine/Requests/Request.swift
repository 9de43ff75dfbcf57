/// The work of one request to a core.
package struct Request: Sendable {
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
  func request(of core: CoreRef) -> Request? {
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

extension CoreRef {
  /// Withdraws the vote on a core. If there is an interceptor, it decides when the vote is withdrawn.
  ///
  /// - Returns: The core to ask next; `nil` if the request does not go on, or if there is an interceptor.
  func forwardRequest(to upstream: consuming Owned, _ interceptor: RequestInterceptor?) -> Owned? {
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
}
