/// Something to be told when cancelling a promise is requested: a node in the list that ``RequestWord`` leads to.
///
/// The word owns the first node, and each node the next; whoever takes the list out of the word owns it then (R1). The list is
/// never changed: who has borrowed the word keeps it to look at, though somebody else may run it meanwhile.
final class CancelHandler: @unchecked Sendable {
  // Sendable: what can change is written before the node is in a list, and never again.

  enum Action: Sendable {
    /// Run this, with the core that is asked.
    case run(@Sendable (CoreRef) -> Void)
    /// Run this, with a resolver, and whether it is told inside the call that registers it.
    case answer(@Sendable (Producer, Bool) -> Void)
    /// Ask these to cancel, which are what this core waits for.
    case ask(WaitingSteps)
    /// Take back the vote on a core that is being adopted.
    case withdraw(CoreRef)
    /// Let somebody else decide when to take back the vote on the source.
    case intercept(CoreRef, @Sendable (CoreRef, PassOn) -> Void)
    /// Tell a producer that can be suspended.
    case control(ProducerControl)
  }

  private let action: Action
  /// Where the resolver comes from that the action is given, unless this has gone.
  private weak let ownProducer: Producer?
  /// The address of the next node, which is owned; `0` for none.
  #if EXPLORING
    @Watched(inCore: false)
  #endif
  private var next: UInt = 0
  /// Whether the node is in a list. Then it has a count on the core that its action names.
  #if EXPLORING
    @Watched(inCore: false)
  #endif
  private var isListed = false
  /// Released by those who have looked at the node, and acquired by the last one: ThreadSanitizer does not see the counts of
  /// objects.
  private let edge = Atomic(false)

  init(_ action: Action, from producer: Producer? = nil) {
    self.action = action
    ownProducer = producer
    #if EXPLORING
      Explorer.current?.keep(self)
    #endif
  }

  deinit {
    _ = edge.load(ordering: .acquiring)
    guard isListed else { return }
    upstream?.release()
    // Unsafe: gives back what the node owns. Who let go of this node has a reference to each of those behind it, see
    // `Nodes`, so that this does not recurse.
    if next != 0 { unsafe CancelHandler.unmanaged(at: next).release() }
  }

  /// The core on which the node has a vote.
  private var upstream: CoreRef? {
    switch action {
    case .run, .answer, .ask, .control: nil
    case .withdraw(let upstream), .intercept(let upstream, _): upstream
    }
  }

  private var isAnswer: Bool { if case .answer = action { true } else { false } }

  private static func unmanaged(at address: UInt) -> Unmanaged<CancelHandler> {
    // Unsafe: an address is only ever one of a node that the caller owns, or has borrowed the word of.
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  // MARK: Into the word

  /// Offers the node to a core. The list holds it if the answer is `linked`.
  func offer(to core: CoreRef) -> RequestWord.Action {
    hand(to: core) { word, address in word.adding(address) }
  }

  /// Puts the node in the place of an upstream core, whose count it takes over. The list holds it if the answer is `linked`.
  func replace(_ upstream: UInt, in core: CoreRef) -> RequestWord.Action {
    hand(to: core) { word, address in word.replacing(upstream, by: address) }
  }

  private func hand(
    to core: CoreRef, _ transition: (RequestWord, UInt) -> (word: RequestWord, action: RequestWord.Action)
  ) -> RequestWord.Action {
    isListed = true
    // Unsafe: retained for the list; given back at once when the list does not take it.
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())
    let action = core.updateRequest { word in
      let (new, action) = transition(word, address)
      if case .linked(let behind) = action { next = behind }
      return (new, action)
    }
    if case .linked = action { return action }
    isListed = false
    unsafe Unmanaged.passUnretained(self).release()
    return action
  }

  // MARK: Out of the word

  /// Runs the handlers that were taken out of a word, in the order in which they were registered
  /// (R2), also if one of them cancels the promise.
  ///
  /// - Returns: The core to go on with, counted, if this one adopts one whose last vote has gone.
  static func run(_ address: UInt, for core: CoreRef, _ producer: Producer?) -> CoreRef? {
    var following: CoreRef?
    let nodes = Nodes(owned: address)
    // All handlers get the same one: a promise without another is cancelled when none of them has kept it.
    for node in nodes.all.reversed() { following = node.run(for: core, producer) ?? following }
    return withExtendedLifetime(producer) { following }
  }

  private func run(for core: CoreRef, _ producer: Producer?, isRegistering: Bool = false) -> CoreRef? {
    switch action {
    case .run(let action): if !core.state.isResolved { action(core) }
    case .answer(let action):
      // A producer that has resolved while the promise is suspended hears of no request.
      if !core.keepsResult, let producer = producer ?? self.producer(for: core) { action(producer, isRegistering) }
    case .ask(let steps): steps.requestCancel()
    case .control(let control): control.cancel()
    case .withdraw(let upstream):
      if core.withdraw(from: upstream) {
        upstream.retain()
        return upstream
      }
    case .intercept(let upstream, let interceptor):
      interceptor(core, PassOn(from: core, to: upstream))
    }
    return nil
  }

  /// The request has been made before this handler could be registered.
  func tellAtOnce(for core: CoreRef) {
    if let onwards = run(for: core, nil, isRegistering: true) {
      onwards.requestCancel()
      onwards.release()
    }
  }

  /// Forgets the handlers that were taken out of the word of a core, which is resolved, and the votes that were not withdrawn.
  static func discard(_ address: UInt, of core: CoreRef) {
    for node in Nodes(owned: address).all {
      guard let upstream = node.upstream else { continue }
      upstream.forgetVote()
      core.leave(listOf: upstream)
    }
  }

  /// The core that the handlers of a list have a vote on, which the caller owns or has a reference to.
  static func adopted(in address: UInt) -> CoreRef? {
    var address = address
    while address != 0 {
      // Unsafe: the caller keeps the first node, and each node the next.
      let node = unsafe unmanaged(at: address).takeUnretainedValue()
      if let upstream = node.upstream { return upstream }
      address = node.next
    }
    return nil
  }

  // MARK: Looked at

  /// A handler that is given a resolver, in a list that the caller has a reference to; all of a list are given the same.
  static func firstAnswer(in address: UInt) -> CancelHandler? {
    var address = address
    while address != 0 {
      // Unsafe: the caller keeps the first node, and each node the next.
      let node = unsafe unmanaged(at: address).takeUnretainedValue()
      if node.isAnswer { return node }
      address = node.next
    }
    return nil
  }

  /// The producer that the handler was registered through; or if it has gone, and the promise adopts another one, one that can
  /// do nothing.
  func producer(for core: CoreRef) -> Producer? { ownProducer ?? Producer.late(core) }

  /// The nodes of a list, last registered first.
  ///
  /// They end in this order, each while the next one is still kept: a long list ends without recursion.
  struct Nodes: ~Copyable {
    fileprivate let all: [CancelHandler]

    /// Takes over the reference to the first one.
    init(owned address: UInt) {
      var all: [CancelHandler] = []
      var address = address
      while address != 0 {
        let unmanaged = unsafe CancelHandler.unmanaged(at: address)
        // Unsafe: the reference to the first one is ours, and the others are owned by those in front of them.
        let node = unsafe all.isEmpty ? unmanaged.takeRetainedValue() : unmanaged.takeUnretainedValue()
        all.append(node)
        address = node.next
      }
      self.all = all
    }

    deinit {
      for node in all { node.edge.store(true, ordering: .releasing) }
    }

    /// Whether one of them is given a resolver.
    var containAnswer: Bool { all.contains(where: \.isAnswer) }

    /// The producers among them, first registered first.
    var controls: [ProducerControl] {
      all.reversed().compactMap { if case .control(let control) = $0.action { control } else { nil } }
    }

    /// What they have votes on, each counted for the caller.
    func retainUpstream() -> [CoreRef] {
      all.compactMap { node in
        node.upstream?.retain()
        return node.upstream
      }
    }
  }

  /// Gives back a reference that `retain` has made.
  ///
  /// - Parameter isLast: Whether it may be the last one.
  static func release(_ address: UInt, isLast: Bool) {
    if isLast {
      withExtendedLifetime(Nodes(owned: address)) {}
    } else {
      // Unsafe: the caller has another reference, and so this is not the end of a list.
      unsafe unmanaged(at: address).release()
    }
  }

  /// One more reference to a node. The caller has borrowed the word that the address is from.
  static func retain(_ address: UInt) -> UInt {
    // Unsafe: borrowed, the word keeps the node.
    _ = unsafe unmanaged(at: address).retain()
    return address
  }
}

/// A request to cancel that has been held up, to be passed on when the time has come; at the latest when it is dropped.
final class PassOn: Sendable {
  private let core: CoreRef
  private let upstream: CoreRef
  private let isTaken = OnceFlag()

  /// Makes a count on each.
  fileprivate init(from core: CoreRef, to upstream: CoreRef) {
    core.retain()
    upstream.retain()
    self.core = core
    self.upstream = upstream
  }

  /// Takes the vote back, and passes the request on if it was the last one.
  func callAsFunction() {
    guard isTaken.take() else { return }
    if core.withdraw(from: upstream) { upstream.requestCancel() }
    upstream.release()
    core.release()
  }

  deinit { callAsFunction() }
}
