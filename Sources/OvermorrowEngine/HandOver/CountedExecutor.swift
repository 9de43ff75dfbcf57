internal import Dispatch

/// An executor, for tests, that counts the jobs of tasks. Tasks whose preferred executor is this one are at rest if no
/// job is left.
///
/// Child tasks inherit the preference, and actors without an executor of their own run the jobs of such tasks here.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class CountedExecutor: TaskExecutor {
  private struct State {
    var begun = 0
    var unended = 0
    var waiters: [@Sendable () -> Void] = []

    /// Removes and returns the actions that no longer have to wait.
    mutating func takeReached() -> [@Sendable () -> Void] {
      guard unended == 0 else { return [] }
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Guarded(State())

  package init() {}

  /// The number of jobs so far.
  package var begun: Int { state.withLock { $0.begun } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.begun += 1
      state.unended += 1
    }
    DispatchQueue.global().async {
      // The runtime passes each job once, and this block runs once. The block retains the executor meanwhile.
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      let reached = self.state.withLock { state in
        state.unended -= 1
        return state.takeReached()
      }
      for action in reached { action() }
    }
  }

  /// Runs an action when no job is left. If none is left now, the action runs inside this call. Otherwise it runs on
  /// the thread on which the last job ends.
  package func whenIdle(_ action: @escaping @Sendable () -> Void) {
    let reached = state.withLock { state in
      state.waiters.append(action)
      return state.takeReached()
    }
    for action in reached { action() }
  }
}
