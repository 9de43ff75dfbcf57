/// One who is told of progress, on a context: of the newest only, and of one step after the other, each in a turn of
/// its own.
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

    /// Whether there is something to tell, by the caller, who has told or dropped another step.
    mutating func goesOn() -> Bool {
      isOnItsWay = newest != nil && callback != nil
      return isOnItsWay
    }
  }

  /// How many steps a thread that reports tells on `.immediate`, where there are no turns; what others report meanwhile
  /// is told elsewhere.
  private static let longest = 16

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
    let isToGo = state.withLock { state -> Bool in
      if let last = state.newest ?? state.told, last.isFinished || !step.isFinished && last.completed > step.completed {
        return false
      }
      state.newest = step
      defer { state.isOnItsWay = true }
      return !state.isOnItsWay
    }
    if isToGo { handOver(step, on: context) }
  }

  private func handOver(_ step: PromiseProgress.Step?, on context: PromiseContext) {
    let turn = OneCall({ self.deliver() }, ifDropped: { self.isDropped(step) })
    Pass.perform(on: context) { turn() }
  }

  /// Tells a step, on the context; the callback is released there when it is over.
  private func deliver() {
    let isImmediate = if case .immediate = context { true } else { false }
    for _ in 0..<(isImmediate ? ProgressObserver.longest : 1) {
      guard let (step, callback) = next() else { break }
      if gate?.isShut != true { callback(step) }
      if step.isFinished { withExtendedLifetime(state.withLock { $0.callback.take() }) {} }
    }
    if state.withLock({ $0.goesOn() }) { goOn(on: isImmediate ? .utility : context.later) }
  }

  private func goOn(on context: PromiseContext) { handOver(state.withLock { $0.newest }, on: context) }

  /// The executor has dropped a turn, and with it the step that was to be told. What has come later gets another one.
  private func isDropped(_ step: PromiseProgress.Step?) {
    let (goesOn, callback) = state.withLock { state -> (Bool, Callback?) in
      if state.newest == step { state.newest = nil }
      // Nothing comes after the end.
      let isOver = state.newest == nil && step?.isFinished == true
      return (state.goesOn(), isOver ? state.callback.take() : nil)
    }
    withExtendedLifetime(callback) { if goesOn { goOn(on: context.later) } }
  }

  private func next() -> (PromiseProgress.Step, Callback)? {
    state.withLock { state in
      guard let step = state.newest.take(), let callback = state.callback else { return nil }
      state.told = step
      return (step, callback)
    }
  }
}
