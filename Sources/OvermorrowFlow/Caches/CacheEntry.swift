public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// The entry of a key in a cache: a load or its result, and the previous value while that value may still be served.
@usableFromInline
final class CacheEntry<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: CacheLine, @unchecked Sendable {
  // Sendable: adds only constants to the line.

  @usableFromInline let key: Key
  /// The call of the first caller.
  let site: CallSite

  /// The promise of the entry; see ``CacheLine/untypedPromise``.
  @inlinable var promise: Promise<Value, Failure>? { knownPromise?.typed() }

  /// Creates the entry of a load. A load that runs inside the call of its first caller has no promise yet.
  @usableFromInline
  init(
    _ key: Key, hash: Int, at site: CallSite, _ promise: UntypedPromise? = nil, after previous: CacheLine? = nil,
    _ load: CacheLoad? = nil
  ) {
    self.key = key
    self.site = site
    super.init(hash: hash, promise, after: previous, load)
  }
}

extension CacheBucket {
  /// Returns the entry of a key. The keys are compared here, without a lock.
  @inlinable
  func entry<Key, Value, Failure>(
    for key: Key, _ type: CacheEntry<Key, Value, Failure>.Type
  ) -> CacheEntry<Key, Value, Failure>? {
    if let entry = first as? CacheEntry<Key, Value, Failure>, entry.key == key { return entry }
    for line in others {
      if let entry = line as? CacheEntry<Key, Value, Failure>, entry.key == key { return entry }
    }
    return nil
  }
}
