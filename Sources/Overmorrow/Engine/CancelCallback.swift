/// What the user wants to run when cancelling is requested. It runs at most once, and is released where it ran.
final class CancelCallback: Sendable {
  private let callback: Guarded<(@Sendable (Producer) -> Void)?>

  init(_ callback: @escaping @Sendable (Producer) -> Void) { self.callback = Guarded(callback) }

  /// Runs the callback on a context, unless the promise has resolved by then.
  ///
  /// - Parameter isCancelled: Whether the promise had been cancelled before the callback was registered. Then it runs.
  func run(on context: PromiseContext, with producer: Producer, isCancelled: Bool = false) {
    let work = callback.withLock { $0.take() }.map { callback in
      OneShot {
        if isCancelled || producer.isUnresolved { callback(producer) }
      }
    }
    work?.run(on: context)
  }
}
