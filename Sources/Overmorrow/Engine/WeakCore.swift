internal import Synchronization

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

  /// Whether a request cannot mean anything any more.
  var isSpent: Bool {
    guard core.retainIfAlive() else { return true }
    defer { core.release() }
    return core.state.isResolved
  }
}
