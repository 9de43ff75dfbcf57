/// Something to be told when cancelling a promise is requested: a node in the list that ``RequestWord`` leads to.
///
/// The list owns its nodes; whoever takes it out of the word owns it then (R1).
final class CancelHandler: @unchecked Sendable {
  // Sendable: `next` is written before the node is in a list, and read by whoever took the list out, or borrowed it.

  enum Action: Sendable {
    /// Run this, with the core that is asked.
    case run(@Sendable (CoreRef) -> Void)
    /// The same for a handler that is given a resolver: with the producer, if the core has lost its own.
    case answer(@Sendable (CoreRef, Producer?) -> Void)
    /// Ask these to cancel, which are what this core waits for.
    case ask(WaitingSteps)
    /// Take back the vote on a core that is being adopted. Owns a count on it.
    case withdraw(CoreRef)
    /// Let somebody else decide when to take back the vote on the source. Owns a count on it.
    case intercept(CoreRef, @Sendable (CoreRef, PassOn) -> Void)
    /// Tell a producer that can be suspended.
    case control(ProducerControl)
  }

  private let action: Action
  private var next: UInt = 0

  init(_ action: Action) { self.action = action }

  /// The core on which the node owns a count, and a vote.
  private var owned: CoreRef? {
    switch action {
    case .run, .answer, .ask, .control: nil
    case .withdraw(let upstream), .intercept(let upstream, _): upstream
    }
  }

  // MARK: Into the word

  /// Offers the node to a core. The list holds it if the answer is `linked`.
  func offer(to core: CoreRef) -> RequestWord.Action {
    hand(to: core) { word, address in word.adding(address) }
  }

  /// Puts the node in the place of an upstream core. The list holds it if the answer is `linked`.
  func replace(_ upstream: UInt, in core: CoreRef) -> RequestWord.Action {
    hand(to: core) { word, address in word.replacing(upstream, by: address) }
  }

  private func hand(
    to core: CoreRef, _ transition: (RequestWord, UInt) -> (word: RequestWord, action: RequestWord.Action)
  ) -> RequestWord.Action {
    // Unsafe: retained for the list; given back at once when the list does not take it.
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())
    let action = core.updateRequest { word in
      let (new, action) = transition(word, address)
      if case .linked(let behind) = action { next = behind }
      return (new, action)
    }
    if case .linked = action { return action }
    unsafe Unmanaged.passUnretained(self).release()
    return action
  }

  // MARK: Out of the word

  /// The nodes of a list that was taken out of a word, last registered first.
  private static func take(_ address: UInt) -> [CancelHandler] {
    var nodes: [CancelHandler] = []
    var address = address
    while address != 0 {
      // Unsafe: the list retained each node, and it is ours now (R1).
      let node = unsafe Unmanaged<CancelHandler>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
        .takeRetainedValue()
      nodes.append(node)
      address = node.next
    }
    return nodes
  }

  /// Runs the handlers in the order in which they were registered, as long as the promise is unresolved (R2).
  ///
  /// - Returns: The core to go on with, counted, if this one adopts one whose last vote has gone.
  static func run(_ address: UInt, for core: CoreRef) -> CoreRef? {
    var following: CoreRef?
    let nodes = take(address)
    // All handlers get the same one: the promise is cancelled when none of them has kept it.
    let producer = nodes.contains(where: \.isAnswer) ? Producer.afterWait(of: core) : nil
    for node in nodes.reversed() { following = node.run(for: core, producer) ?? following }
    return withExtendedLifetime(producer) { following }
  }

  private var isAnswer: Bool { if case .answer = action { true } else { false } }

  private func run(for core: CoreRef, _ producer: Producer?) -> CoreRef? {
    switch action {
    case .run(let action): if !core.state.isResolved { action(core) }
    case .answer(let action): if !core.state.isResolved { action(core, producer) }
    case .ask(let steps): steps.requestCancel()
    case .control(let control): control.cancel()
    case .withdraw(let upstream):
      // The node's count goes on with the request, if that goes on.
      if core.withdraw(from: upstream) { return upstream }
      upstream.release()
    case .intercept(let upstream, let interceptor):
      interceptor(core, PassOn(from: core, to: upstream))
    }
    return nil
  }

  /// The request has been made before this handler could be registered.
  func tellAtOnce(for core: CoreRef) {
    if let onwards = run(for: core, nil) {
      onwards.requestCancel()
      onwards.release()
    }
  }

  /// Forgets the handlers, and the votes that were not withdrawn.
  static func discard(_ address: UInt) {
    for node in take(address) { node.owned?.forgetVote() }
  }

  /// What the owner of this word waits for, each counted for the caller, who has borrowed the word (R4).
  static func retainUpstream(of word: RequestWord) -> [CoreRef] {
    var found: [CoreRef] = []
    func retain(_ core: CoreRef) {
      core.retain()
      found.append(core)
    }
    if word.kind != .handlers {
      retain(CoreRef(address: word.address))
    } else {
      visit(word.address) { node in
        if let owned = node.owned { retain(owned) }
        if case .ask(let steps) = node.action { found += steps.retainCores() }
      }
    }
    return found
  }

  /// The core that a list of handlers has a vote on. The caller has borrowed the word, or taken the list out.
  static func adopted(in list: UInt) -> CoreRef? {
    var found: CoreRef?
    visit(list) { node in found = found ?? node.owned }
    return found
  }

  /// The producers in a list of handlers, first registered first. The caller has borrowed the word.
  static func controls(in list: UInt) -> [ProducerControl] {
    var found: [ProducerControl] = []
    visit(list) { node in
      if case .control(let control) = node.action { found.append(control) }
    }
    return found.reversed()
  }

  /// Whether a list of handlers has one that is given a resolver. The caller has borrowed the word.
  static func containsAnswer(_ list: UInt) -> Bool {
    var found = false
    visit(list) { found = found || $0.isAnswer }
    return found
  }

  private static func visit(_ list: UInt, _ body: (CancelHandler) -> Void) {
    var address = list
    while address != 0 {
      // Unsafe: the list holds its nodes, and they do not change while the word is borrowed, or the list is taken out.
      let node = unsafe Unmanaged<CancelHandler>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
        .takeUnretainedValue()
      body(node)
      address = node.next
    }
  }
}

/// A request to cancel that has been held up, to be passed on when the time has come; at the latest when it is dropped.
final class PassOn: Sendable {
  private let core: CoreRef
  private let upstream: CoreRef
  private let isTaken = OnceFlag()

  /// Makes a count on `core`, and takes over one on `upstream`.
  fileprivate init(from core: CoreRef, to upstream: CoreRef) {
    core.retain()
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
