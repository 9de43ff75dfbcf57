public import Overmorrow
public import OvermorrowEngine

/// What a call has found for a key: the entries with the same hash, and the entry of the key among them.
@usableFromInline
struct CachePlace<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let key: Key
  @usableFromInline let hash: Int
  @usableFromInline let bucket: CacheBucket?
  @usableFromInline let entry: CacheEntry<Key, Value, Failure>?

  @inlinable
  init(_ key: Key, in core: CacheCore) {
    self.key = key
    hash = key.hashValue
    bucket = core.bucket(hash)
    entry = bucket?.entry(for: key, CacheEntry<Key, Value, Failure>.self)
  }
}

/// The calls that find a fresh value, and the loads that return one inside the call. Their code is compiled in the
/// module of the client, because code that does not know its types would spend most of its time with them.
extension PromiseCache {
  /// Looks a key up.
  @inlinable
  @inline(__always)
  func place(of key: Key) -> CachePlace<Key, Value, Failure> { CachePlace(key, in: core) }

  /// Returns the promise of a fresh value, and counts a hit. Returns `nil` if the entry has no fresh value.
  @inlinable
  @inline(__always)
  func hit(_ entry: Entry) -> Promise<Value, Failure>? { core.serves(entry) ? entry.promise : nil }

  /// Returns the cost of the value of a promise; zero if the cache has no costs.
  @inlinable
  @inline(__always)
  func cost(of promise: Promise<Value, Failure>) -> Int {
    guard let costFunction, let value = promise.result?.value else { return 0 }
    return Self.cost(of: value, costFunction)
  }

  /// Returns the cost of a value, which is at least zero.
  @usableFromInline
  static func cost(of value: Value, _ function: (@Sendable (Value) -> Int)?) -> Int {
    guard let function else { return 0 }
    let cost = function(value)
    return PromiseDiagnostics.replace(cost, by: max(cost, 0), "PromiseCache.cost")
  }

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
    if promise.hasValue, core.keepFirst(entry, cost: cost(of: promise), { entry.promise = promise }) { return promise }
    return finish(entry, promise)
  }
}
