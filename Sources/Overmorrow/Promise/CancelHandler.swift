internal import OvermorrowEngine

/// A user's handler for requests to cancel. The handler runs at most once, and is released where it ran. A handler for
/// the main queue that does not run is released on the main queue.
final class CancelHandler: Sendable {
  private let context: PromiseContext
  private let body: Guarded<(@Sendable (ResolverClaim) -> Void)?>

  init(on context: PromiseContext, _ body: @escaping @Sendable (ResolverClaim) -> Void) {
    self.context = context
    self.body = Guarded(body)
  }

  deinit {
    if context.isOnMain, let body = take() { MainBound(consume body).release() }
  }

  /// Runs the handler on its context. If the promise has been fulfilled or rejected by then, the handler does not run.
  ///
  /// - Parameter isRegistering: Whether the handler runs inside the call that registers it, because the request was
  ///   made before.
  func run(with resolver: ResolverClaim, isRegistering: Bool = false) {
    Pass.perform(on: isRegistering ? context : context.later) {
      if let body = self.take(), resolver.hasRequestedCancel { body(resolver) }
    }
  }

  private func take() -> (@Sendable (ResolverClaim) -> Void)? { body.withLock { $0.take() } }
}
