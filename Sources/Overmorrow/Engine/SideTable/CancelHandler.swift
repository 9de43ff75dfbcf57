/// Code that runs when a promise is asked to cancel.
enum CancelHandler: Sendable {
  /// Run this, with the core that is asked.
  case run(@Sendable (CoreRef) -> Void)
  /// Run this, with a producer, and with whether it runs inside the call that registers the handler. The producer is
  /// the one through which the handler was registered or, if that no longer exists, a new one.
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

/// The handlers of a request to a core.
struct CancelHandlers: Sendable {
  /// In the order of registration: the first one, usually the only one, and the others.
  private var first: CancelHandler?
  private var others: [CancelHandler] = []
  /// Decides when the vote on the upstream core is withdrawn.
  var interceptor: (@Sendable (CoreRef, OneCall) -> Void)?

  /// Whether one of them is given a producer.
  var needProducer: Bool { first?.needsProducer == true || others.contains(where: \.needsProducer) }

  mutating func append(_ handler: CancelHandler) {
    if first == nil { first = handler } else { others.append(handler) }
  }

  /// Runs the handlers in the order of registration, even if one of them cancels the promise.
  func run(for core: CoreRef, _ producer: Producer?) {
    first?.run(for: core, producer)
    for handler in others { handler.run(for: core, producer) }
  }
}
