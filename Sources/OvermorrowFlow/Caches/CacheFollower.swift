internal import Overmorrow
internal import OvermorrowEngine

/// Calls a closure on the main queue after changes of a key of a cache, until the follower is released.
package final class CacheFollower: Sendable {
  private let core: CacheCore
  private let signal: CacheSignal

  init(_ hash: Int, in core: CacheCore, _ onChange: @escaping @MainActor @Sendable () -> Void) {
    self.core = core
    signal = CacheSignal(hash: hash, onChange)
    core.watch(signal)
  }

  deinit { core.unwatch(signal) }
}

/// Submits one call of a closure for all changes that occur before the call.
private final class CacheSignal: CacheWatcher, @unchecked Sendable {
  // Sendable: the fields of this class never change.

  private let onChange: @MainActor @Sendable () -> Void
  private let calls = SerialDelivery()

  init(hash: Int, _ onChange: @escaping @MainActor @Sendable () -> Void) {
    self.onChange = onChange
    super.init(hash: hash)
  }

  override func update() {
    guard calls.request() else { return }
    PromiseContext.main.perform { [self] in
      calls.take()
      MainActor.assumeIsolated { onChange() }
    }
  }
}
