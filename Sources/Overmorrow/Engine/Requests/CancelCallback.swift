/// A user's callback for a request to cancel. The callback runs at most once, and is released where it ran. A callback
/// for the main queue that does not run is released on the main queue.
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

  /// Runs the callback on its context. If the promise has been fulfilled or rejected by then, the callback does not
  /// run. If the promise is cancelled, the callback runs, because an earlier callback for the same request may have
  /// cancelled the promise.
  ///
  /// - Parameter isRegistering: Whether the callback runs inside the call that registers it, because the request was
  ///   made before.
  func run(with producer: Producer, isRegistering: Bool = false) {
    Pass.perform(on: isRegistering ? context : context.later) {
      if let callback = self.take(), producer.isUnresolved || producer.isCancelled { callback(producer) }
    }
  }

  private func take() -> (@Sendable (Producer) -> Void)? { callback.withLock { $0.take() } }
}
