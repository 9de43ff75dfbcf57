/// A user's callback for a request to cancel. It runs at most once, and is released where it ran, or on the main queue
/// if it was to run there.
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

  /// Runs the callback, unless the promise has been fulfilled or rejected by then. It also runs if the promise is
  /// cancelled, because an earlier callback for the same request may have cancelled it.
  ///
  /// - Parameter isRegistering: Whether this runs inside the call that registers the callback, because the request was
  ///   made before.
  func run(with producer: Producer, isRegistering: Bool = false) {
    Pass.perform(on: isRegistering ? context : context.later) {
      if let callback = self.take(), producer.isUnresolved || producer.isCancelled { callback(producer) }
    }
  }

  private func take() -> (@Sendable (Producer) -> Void)? { callback.withLock { $0.take() } }
}
