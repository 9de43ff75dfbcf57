internal import Overmorrow
internal import OvermorrowEngine

/// One run of the work of a ``PromiseLoad``. When the run ends, it withdraws its vote on the work.
///
/// A run lasts as long as one of its holders: the tasks that wait for it, and the calls that start it and wait for
/// nothing.
final class LoadRun: Sendable {
  private struct State {
    var isEnded = false
    var holders = 0
    var work: PromiseCancellable?
    var waiters: [Promise<Void, Never>.Resolver] = []
  }

  private let state = Guarded(State())

  /// Withdraws the vote on the work when the run ends, or now if it has ended.
  func own(_ work: PromiseCancellable) {
    state.withLock { state in
      if !state.isEnded { state.work = work }
    }
  }

  /// Adds a holder, and returns this run.
  @discardableResult
  func held() -> LoadRun {
    state.withLock { $0.holders += 1 }
    return self
  }

  /// Removes a holder. Returns whether it was the last one.
  func leave() -> Bool {
    state.withLock { state in
      state.holders -= 1
      return state.holders == 0
    }
  }

  /// Ends the run, and resumes what waits for it.
  func end() {
    let ended = state.withLock { state in
      defer { state = State(isEnded: true) }
      return state
    }
    for waiter in ended.waiters { waiter.fulfill() }
  }

  /// Waits until the run has ended or the calling task is cancelled.
  ///
  /// - Parameter site: The user's call that waits.
  nonisolated(nonsending) func waitUntilEnded(at site: CallSite) async {
    let (promise, resolver) = Promise<Void, Never>.makeForLibrary(at: site)
    let isEnded = state.withLock { state in
      if !state.isEnded { state.waiters.append(resolver) }
      return state.isEnded
    }
    if isEnded { return resolver.fulfill() }
    try? await promise.value
  }
}
