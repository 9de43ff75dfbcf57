/// Code that runs when a promise is asked to cancel.
enum CancelHandler: Sendable {
  /// A closure that receives the core that is asked.
  case run(@Sendable (CoreRef) -> Void)
  /// A closure that receives a producer, and whether the closure runs inside the call that registers the handler. The
  /// producer is the one through which the last handler of the core was registered. If that producer no longer exists,
  /// the closure receives a new one.
  case answer(@Sendable (Producer, Bool) -> Void)

  var needsProducer: Bool { if case .answer = self { true } else { false } }

  /// Runs the handler. If the promise has resolved, skips a handler of the kind `run`. If there is no producer, skips a
  /// handler of the kind `answer`.
  func run(for core: CoreRef, _ producer: Producer?, isRegistering: Bool = false) {
    switch self {
    case .run(let action): if !core.state.isResolved { action(core) }
    case .answer(let action): if let producer { action(producer, isRegistering) }
    }
  }
}

/// The handlers of a request to a core.
struct CancelHandlers: Sendable {
  /// The handler that was registered first, which is usually the only one. The later handlers are in `others`, in the
  /// order of registration.
  private var first: CancelHandler?
  private var others: [CancelHandler] = []
  /// The closure that decides when the vote on the upstream core is withdrawn.
  var interceptor: (@Sendable (CoreRef, OneCall) -> Void)?

  /// Whether one of the handlers receives a producer.
  var needProducer: Bool { first?.needsProducer == true || others.contains(where: \.needsProducer) }

  mutating func append(_ handler: CancelHandler) {
    if first == nil { first = handler } else { others.append(handler) }
  }

  /// Runs the handlers in the order of registration. If one of them cancels the promise, the later handlers of the kind
  /// `answer` still run.
  func run(for core: CoreRef, _ producer: Producer?) {
    first?.run(for: core, producer)
    for handler in others { handler.run(for: core, producer) }
  }
}
