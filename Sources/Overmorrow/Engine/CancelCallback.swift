/// What the user wants to run when cancelling is requested. It runs at most once, and is released where it ran.
final class CancelCallback: Sendable {
  private struct State: Sendable {
    var callback: (@Sendable (Producer) -> Void)?
    /// Whether the call that registers it has not returned: the request was made before, and so it runs at once.
    var isRegistering = false
  }

  private let state: Guarded<State>

  init(_ callback: @escaping @Sendable (Producer) -> Void) { state = Guarded(State(callback: callback)) }

  /// Runs the callback on a context, unless the promise has resolved by then.
  ///
  /// - Parameter isCancelled: Whether the promise had been cancelled before the callback was registered. Then it runs.
  func run(on context: PromiseContext, with producer: Producer, isCancelled: Bool = false) {
    let work = state.withLock { $0.callback.take() }.map { callback in
      OneShot {
        if isCancelled || producer.isUnresolved || self.isRegistering && producer.isCancelled { callback(producer) }
      }
    }
    work?.run(on: context)
  }

  /// The same inside the call that registers the callback, after the request. If the promise is cancelled during this call, the
  /// callback runs nevertheless, as it does before and after.
  func runAtOnce(on context: PromiseContext, with producer: Producer) {
    state.withLock { $0.isRegistering = true }
    run(on: context, with: producer)
    state.withLock { $0.isRegistering = false }
  }

  private var isRegistering: Bool { state.withLock { $0.isRegistering } }
}
