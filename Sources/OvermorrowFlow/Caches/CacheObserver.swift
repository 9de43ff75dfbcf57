internal import Overmorrow
internal import OvermorrowEngine

/// An observer of the entries whose keys have a hash, without the types of the cache.
class CacheWatcher: @unchecked Sendable {
  // Sendable: the fields of this class never change.

  /// The hash of the observed key.
  final let hash: Int

  init(hash: Int) { self.hash = hash }

  /// Handles a new value among the entries with the hash.
  func update() {}

  /// Handles the release of the cache.
  func finish() {}
}

/// Sends the values of one key to a sequence.
///
/// After each change, the observer reads the current value from the cache and sends it, unless it has sent this value
/// before. Only one thread at a time does so. So the last sent value is the newest one, even if threads set several
/// values at the same time.
final class CacheObserver<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: CacheWatcher, @unchecked Sendable
{
  // Sendable: all fields that change are only used under the lock of `state`.

  private struct State {
    /// The entry whose value was sent last.
    weak var sent: CacheLine?
    var isSending = false
    /// Whether there was a change since the current value was read.
    var isOutdated = false
  }

  private let key: Key
  private weak var core: CacheCore?
  private let continuation: AsyncStream<Value>.Continuation
  private let state = Guarded(State())

  init(_ key: Key, in core: CacheCore, _ continuation: AsyncStream<Value>.Continuation) {
    self.key = key
    self.core = core
    self.continuation = continuation
    super.init(hash: key.hashValue)
  }

  override func update() {
    let isFirst = state.withLock { state in
      state.isOutdated = true
      defer { state.isSending = true }
      return !state.isSending
    }
    if isFirst { sendChanges() }
  }

  private func sendChanges() {
    // Each further round means that there was another change during the last round. Other threads may set values all
    // the time, so that a caller leaves the rounds after the hundredth to a queue.
    for _ in 0..<100 {
      guard takeChange() else { return }
      send()
    }
    PromiseContext.default.perform { self.sendChanges() }
  }

  override func finish() { continuation.finish() }

  private func takeChange() -> Bool {
    state.withLock { state in
      state.isSending = state.isOutdated
      state.isOutdated = false
      return state.isSending
    }
  }

  private func send() {
    guard let core, let entry = CachePlace<Key, Value, Failure>(key, in: core).entry,
      let kept = core.servable(entry) as? CacheEntry<Key, Value, Failure>,
      let value = core.read({ kept.promise })?.result?.value
    else { return }
    let isNew = state.withLock { [weak kept] state in
      if state.sent === kept { return false }
      state.sent = kept
      return true
    }
    if isNew { continuation.yield(value) }
  }
}
