/// Something to be told when cancelling a promise is requested.
enum CancelHandler: Sendable {
  /// Run this, with the core that is asked.
  case run(@Sendable (CoreRef) -> Void)
  /// Run this with a producer: the one through which it was registered or, when that has gone, a new one; and with whether it
  /// runs inside the call that registers it.
  case answer(@Sendable (Producer, Bool) -> Void)

  var needsProducer: Bool { if case .answer = self { true } else { false } }

  /// Runs the handler, unless the promise has resolved.
  func run(for core: CoreRef, _ producer: Producer?, isRegistering: Bool = false) {
    switch self {
    case .run(let action): if !core.state.isResolved { action(core) }
    case .answer(let action): if let producer { action(producer, isRegistering) }
    }
  }
}

/// What the user wants to run when cancelling is requested. It runs at most once, and is released where it ran; on the main
/// queue if it was to run there.
final class CancelCallback: Sendable {
  private let context: PromiseContext
  private let callback: Guarded<(@Sendable (Producer) -> Void)?>

  init(on context: PromiseContext, _ callback: @escaping @Sendable (Producer) -> Void) {
    self.context = context
    self.callback = Guarded(callback)
  }

  deinit {
    if let callback = take(), context.isOnMain { MainBound(consume callback).release() }
  }

  /// Runs the callback, unless the promise has been fulfilled or rejected by then. One that is cancelled has perhaps been by
  /// an earlier callback for the same request.
  ///
  /// - Parameter isRegistering: Whether the call that registers the callback has not returned: the request was made before.
  func run(with producer: Producer, isRegistering: Bool = false) {
    Pass.perform(on: isRegistering ? context : context.later) {
      if let callback = self.take(), producer.isUnresolved || producer.isCancelled { callback(producer) }
    }
  }

  private func take() -> (@Sendable (Producer) -> Void)? { callback.withLock { $0.take() } }
}

/// A request that has been made to a core: what is to be done about it.
struct CancelRequest: Sendable {
  fileprivate let firstHandler: CancelHandler?
  fileprivate let moreHandlers: [CancelHandler]
  /// What the handlers are given.
  fileprivate let producer: Producer?
  fileprivate let inputs: WaitingSteps?
  /// The core whose vote is to be withdrawn, counted.
  fileprivate let upstream: CoreRef?
  fileprivate let interceptor: (@Sendable (CoreRef, PassOn) -> Void)?

  /// Runs the handlers in the order in which they were registered, also if one of them cancels the promise, and then
  /// withdraws the vote.
  ///
  /// - Returns: The core to ask next, if its last vote has gone.
  func run(for core: CoreRef) -> Owned? {
    firstHandler?.run(for: core, producer)
    for handler in moreHandlers { handler.run(for: core, producer) }
    inputs?.requestCancel()
    return upstream.flatMap { core.passRequest(to: Owned(adopting: $0), interceptor) }
  }
}

extension Ties {
  /// Makes a request: takes out what is to be done about it, or notes that the claim is missing. Once made, it is not made again.
  ///
  /// - Parameter producer: What the handlers are given, if no resolver is left.
  func request(_ producer: Producer?, of core: CoreRef) -> CancelRequest? {
    state.withLock { ties in
      if ties.isClosed || core.link.isAsked { return nil }
      var producer = producer
      if producer == nil, ties.needsProducer {
        producer = livingProducer(of: core)
        if producer == nil {
          guard ties.keepsClaim else {
            ties.requestWaits = true
            return nil
          }
          ties.keepsClaim = false
          producer = Producer(core)
        }
      }
      core.markAskedInTies()
      let upstream = ties.upstream.flatMap { $0.hasVote ? Owned($0.core).leak() : nil }
      ties.upstream?.hasVote = false
      defer {
        ties.firstHandler = nil
        ties.moreHandlers = []
        ties.interceptor = nil
      }
      return CancelRequest(
        firstHandler: ties.firstHandler, moreHandlers: ties.moreHandlers, producer: producer, inputs: ties.inputs,
        upstream: upstream, interceptor: ties.interceptor)
    }
  }

  /// Adds a handler; `false` if the promise is resolved, `nil` if the request has been made.
  ///
  /// - Parameter producer: What handlers are given that need a producer, as long as it is there.
  func add(_ handler: CancelHandler, from producer: Producer?, to core: CoreRef) -> Bool? {
    state.withLock { ties in
      if let producer { self.producer = producer }
      if ties.isClosed { return false }
      if core.link.isAsked { return nil }
      if ties.firstHandler == nil { ties.firstHandler = handler } else { ties.moreHandlers.append(handler) }
      return true
    }
  }
}

/// A request to cancel that has been intercepted, to be passed on later; at the latest when it is dropped.
final class PassOn: Sendable {
  private let core: Owned
  private let upstream: Owned
  private let isTaken = OnceFlag()

  fileprivate init(from core: consuming Owned, to upstream: consuming Owned) {
    self.core = core
    self.upstream = upstream
  }

  /// Withdraws the vote, and passes the request on if it was the last one.
  func callAsFunction() {
    if isTaken.take(), core.core.withdraw(from: upstream.core) { upstream.core.requestCancel() }
  }

  deinit { callAsFunction() }
}

extension CoreRef {
  /// Withdraws the vote on a core, or leaves to an interceptor when that is done.
  ///
  /// - Returns: The core, if it is to be asked next, as its last vote has gone.
  func passRequest(
    to upstream: consuming Owned, _ interceptor: ((_ core: CoreRef, _ passOn: PassOn) -> Void)?
  ) -> Owned? {
    if let interceptor {
      interceptor(self, PassOn(from: Owned(self), to: upstream))
      return nil
    }
    if withdraw(from: upstream.core) { return upstream }
    return nil
  }
}
