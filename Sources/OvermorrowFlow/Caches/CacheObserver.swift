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
/// before. The last sent value is the newest one, even if threads set several values at the same time.
final class CacheObserver<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: CacheWatcher, @unchecked Sendable
{
  // Sendable: only the field `sent` changes, and one delivery at a time uses it.

  private let key: Key
  private weak var core: CacheCore?
  private let continuation: AsyncStream<Value>.Continuation
  private let delivery = SerialDelivery()
  /// The entry whose value was sent last.
  private weak var sent: CacheLine?

  init(_ key: Key, in core: CacheCore, _ continuation: AsyncStream<Value>.Continuation) {
    self.key = key
    self.core = core
    self.continuation = continuation
    super.init(hash: key.hashValue)
  }

  override func update() { if delivery.request() { sendChanges() } }

  private func sendChanges() {
    // Other threads may set values all the time, so that a caller leaves the values after the hundredth to a queue.
    if !delivery.deliver(atMost: 100, send) { PromiseContext.default.perform { self.sendChanges() } }
  }

  override func finish() { continuation.finish() }

  private func send() {
    guard let core, let entry = CachePlace<Key, Value, Failure>(key, in: core).entry,
      let kept = core.servable(entry) as? CacheEntry<Key, Value, Failure>,
      sent !== kept,
      let value = core.read({ kept.untypedPromise }).flatMap(PromiseCache<Key, Value, Failure>.result)?.value
    else { return }
    sent = kept
    continuation.yield(value)
  }
}
