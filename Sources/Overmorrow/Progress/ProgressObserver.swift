/// One who is told of progress, on a context: of the newest only, and of one step after the other.
final class ProgressObserver: Sendable {
  typealias Callback = @Sendable (PromiseProgress.Step) -> Void

  private struct State {
    var callback: Callback?
    /// What is to be told.
    var newest: PromiseProgress.Step?
    /// What was told last.
    var told: PromiseProgress.Step?
    /// Somebody is about to tell it.
    var isOnItsWay = false
  }

  private let context: PromiseContext
  private let gate: Gate?
  private let state: Guarded<State>

  init(on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping Callback) {
    self.context = context
    gate = token?.gate
    state = Guarded(State(callback: callback))
  }

  /// Tells of a step, unless a later one has been told.
  func tell(_ step: PromiseProgress.Step) {
    let isToGo = state.withLock { state in
      if let last = state.newest ?? state.told, last.isFinished || !step.isFinished && last.completed > step.completed {
        return false
      }
      state.newest = step
      defer { state.isOnItsWay = true }
      return !state.isOnItsWay
    }
    if isToGo { Pass.perform(on: context) { self.deliver() } }
  }

  /// Tells all that there is to tell, on the context; the callback is released there when it is over.
  private func deliver() {
    while let (step, callback) = next() {
      if gate?.isShut != true { callback(step) }
      if step.isFinished { withExtendedLifetime(state.withLock { $0.callback.take() }) {} }
    }
  }

  private func next() -> (PromiseProgress.Step, Callback)? {
    state.withLock { state in
      guard let step = state.newest.take(), let callback = state.callback else {
        state.isOnItsWay = false
        return nil
      }
      state.told = step
      return (step, callback)
    }
  }
}
