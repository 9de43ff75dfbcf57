/// The code that runs when a promise is asked to cancel, in the order of registration.
package struct CancelHandlers: Sendable {
  /// Code that runs inside the request. It receives the promise's resolver object, or `nil` if the last resolver is
  /// being released and the promise is about to be cancelled.
  package typealias Handler = @Sendable (ResolverClaim?) -> Void

  /// The handler that was registered first, which is usually the only one. An array would need more memory.
  private var first: Handler?
  private var others: [Handler] = []

  var isEmpty: Bool { first == nil }

  mutating func append(_ handler: @escaping Handler) {
    if first == nil { first = handler } else { others.append(handler) }
  }

  /// Runs the handlers. If one of them cancels the promise, the later handlers still run. If the promise is fulfilled
  /// or rejected meanwhile, the later handlers do not run.
  func run(for core: CoreRef, _ resolver: ResolverClaim?) {
    if core.hasRequestedCancel { first?(resolver) }
    for handler in others where core.hasRequestedCancel { handler(resolver) }
  }
}

/// A closure that decides when a request is forwarded, and then calls the call once.
package typealias RequestInterceptor = @Sendable (_ core: CoreRef, _ forward: OneCall) -> Void
