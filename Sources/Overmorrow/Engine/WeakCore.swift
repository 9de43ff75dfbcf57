/// A way to ask a promise to cancel that keeps neither its result nor what it waits for.
///
/// It keeps the memory of the core, so that asking whether the core is still alive is safe at any time.
struct WeakCore: Sendable {
  private let memory: MemoryHold
  private let core: CoreRef

  init(_ handle: PromiseHandle) {
    memory = MemoryHold(handle)
    core = handle.core
    // From now on a request can come from outside, so that the core may not be left out of a chain.
    core.updateVotes { ($0.exposing(), ()) }
  }

  /// Asks to cancel; does nothing once the promise has resolved or is gone.
  func requestCancel() {
    guard core.retainIfAlive() else { return }
    core.requestCancel()
    core.release()
  }

  /// Rejects a step that waits and has no callback of any size; does nothing once the promise has resolved or is gone.
  func reject(with error: any Error) {
    guard core.retainIfAlive() else { return }
    core.end(with: error as (any Error)?)
    core.release()
  }

  /// Runs a closure with the core, counted for it, unless the promise is gone.
  func withCore(_ body: (CoreRef) -> Void) {
    guard core.retainIfAlive() else { return }
    body(core)
    core.release()
  }

  /// Tells the promise from others that exist at the same time; see `CoreRef.identity`.
  var identity: String { core.identity }

  /// Whether a request cannot mean anything any more.
  ///
  /// Looks at the phase only, and makes no count: a count could be the last one, and its end runs the user's code. A
  /// core that is gone still says that it was resolved, as long as there is memory to say it (I1).
  var isSpent: Bool { core.state.isResolved }
}
