/// Suspends, resumes and cancels several promises together, such as all those of one chain.
///
/// It keeps none of them alive. Those that have resolved are left alone, and those that are added while it is suspended
/// are suspended at once. Unlike the suspension of a single promise, that of a control does not end with the handles of
/// the promises; it ends with the control.
package final class ChainControl: Sendable {
  private struct State {
    var cores: [WeakCore] = []
    /// The list is swept when it has grown to this, so that it costs a constant per promise.
    var sweepAt = 16
    var isSuspended = false
  }

  private let state = Guarded(State())

  package init() {}

  deinit {
    for core in state.withLock({ $0.cores }) where isSuspended { core.control { false } }
  }

  package var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Makes a promise one of those under control.
  package func add<Value, Failure>(_ promise: Promise<Value, Failure>) {
    let core = WeakCore(promise.handle)
    let (swept, isSuspended) = state.withLock { state -> ([WeakCore], Bool) in
      var swept: [WeakCore] = []
      if state.cores.count >= state.sweepAt {
        swept = state.cores
        state.cores.removeAll { $0.isSpent }
        state.sweepAt = max(16, 2 * state.cores.count)
      }
      state.cores.append(core)
      return (swept, state.isSuspended)
    }
    if isSuspended { core.control { self.isSuspended } }
    withExtendedLifetime(swept) {}
  }

  package func suspend() { set(isSuspended: true) }

  package func resume() { set(isSuspended: false) }

  private func set(isSuspended: Bool) {
    let cores = state.withLock { state in
      state.isSuspended = isSuspended
      return state.cores
    }
    for core in cores { core.control { self.isSuspended } }
  }

  /// Asks all of them to cancel, the latest first; suspended ones settle at once.
  package func requestCancel() {
    for core in state.withLock({ $0.cores }).reversed() { core.requestCancel() }
  }
}
