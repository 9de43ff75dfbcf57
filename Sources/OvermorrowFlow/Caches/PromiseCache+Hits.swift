public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// What a call has found for a key: the entries with the same hash, and the entry of the key among them.
@usableFromInline
struct CachePlace<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let key: Key
  @usableFromInline let hash: Int
  @usableFromInline let bucket: CacheBucket?
  @usableFromInline let entry: CacheEntry<Key, Value, Failure>?
  /// Whether the entry has a fresh value, and its use was counted; `nil` if that is not known.
  @usableFromInline let isHit: Bool?

  @inlinable
  init(_ key: Key, in core: CacheCore) {
    self.key = key
    hash = key.hashValue
    bucket = core.bucket(hash)
    entry = bucket?.entry(for: key, CacheEntry<Key, Value, Failure>.self)
    isHit = nil
  }

  /// Looks a key up, and counts a hit if that takes no second turn of the lock.
  @inlinable
  init(using key: Key, in core: CacheCore) {
    self.key = key
    hash = key.hashValue
    let (bucket, isHit) = core.bucketCountingHit(hash)
    self.bucket = bucket
    entry = bucket?.entry(for: key, CacheEntry<Key, Value, Failure>.self)
    self.isHit = isHit
    if isHit == true, entry == nil { core.takeBackHit() }
  }
}

extension CachePlace {
  /// Returns the promise of a fresh value, and counts a hit. Returns `nil` if there is no fresh value.
  @inlinable
  func hit(in core: CacheCore) -> Promise<Value, Failure>? {
    guard let entry else { return nil }
    // Without an autoclosure, which would retain the entry.
    if let isHit {
      if !isHit { return nil }
    } else if !core.serves(entry) {
      return nil
    }
    return entry.promise
  }
}

/// The calls that find a fresh value, and the loads that return one inside the call. Their code is compiled in the
/// module of the client, because code that does not know its types would spend most of its time with them.
extension PromiseCache {
  /// Looks a key up.
  @inlinable
  @inline(__always)
  func place(of key: Key) -> CachePlace<Key, Value, Failure> { CachePlace(key, in: core) }

  /// Looks a key up for a call that wants its value.
  @inlinable
  @inline(__always)
  func usedPlace(of key: Key) -> CachePlace<Key, Value, Failure> { CachePlace(using: key, in: core) }

  /// Runs a load inside this call. If the load returns a promise with a value, and no other caller has asked for the
  /// key meanwhile, the cache keeps that promise, and the load costs no other promise.
  ///
  /// - Returns: `nil` if another thread has added or removed an entry with the same hash. The load has not run then.
  @inlinable
  func loadNow(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure>? {
    let entry = Entry(place.key, hash: place.hash, at: site)
    guard core.begin(entry, seen: place.bucket) else { return nil }
    let promise: Promise<Value, Failure>
    do throws(Failure) {
      promise = try load(place.key)
    } catch {
      promise = Promise(with: .thrown(error), site: .library)
    }
    // The promise moves into its untyped form, so that no reference is counted.
    let made = UntypedPromise(promise)
    return made.hasValue && core.keepFirst(entry, made) ? made.typed() : finish(entry, made)
  }
}
