public import Overmorrow
public import OvermorrowEngine

/// The entry of a key in a cache: a load or its result, and the previous value while that value may still be served.
@usableFromInline
final class CacheEntry<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: CacheLine, @unchecked Sendable {
  // Sendable: `promise` is written before the entry is shared, or once under the lock of the core. It is read under
  // that lock, or after the reader has found under the lock that there is a value. `held` is only used under the lock.

  @usableFromInline let key: Key
  /// The call of the first caller.
  let site: CallSite
  /// The promise of the entry. When all its children have asked to cancel, the promise passes the request on to the
  /// load, even though this entry retains a handle.
  @usableFromInline var promise: Promise<Value, Failure>?
  /// For a load that runs inside the call of its first caller, after another caller has asked for the key: the resolver
  /// of `promise`, and the promise of the first caller.
  var held: (resolver: Promise<Value, Failure>.Resolver, first: Promise<Value, Failure>)?

  /// Creates the entry of a load that runs inside the call of its first caller.
  @usableFromInline
  init(_ key: Key, hash: Int, at site: CallSite) {
    self.key = key
    self.site = site
    super.init(hash: hash, hasPromise: false, after: nil, task: nil)
  }

  /// Creates the entry of a load with a promise.
  init(
    _ key: Key, hash: Int, at site: CallSite, _ promise: Promise<Value, Failure>, after previous: CacheLine?,
    _ task: SharedWork?
  ) {
    self.key = key
    self.site = site
    self.promise = promise
    super.init(hash: hash, hasPromise: true, after: previous, task: task)
  }

  /// Returns whether one more caller may wait for the entry. If the caller runs on behalf of this load, or of a load
  /// that this load waits for, reports the cycle, withdraws the vote of `child`, and returns `false`.
  func admits(_ child: Promise<Value, Failure>, _ site: CallSite) -> Bool {
    if task?.admits(child) != false { return true }
    PromiseDiagnostics.report(.resolvedWithItself(origin: site.text))
    child.requestCancel()
    return false
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

/// The way from the promise of a load back to its entry and its cache. The link retains neither of them.
final class CacheLink: Sendable {
  private struct Ends {
    weak var core: CacheCore?
    weak var line: CacheLine?
  }

  private let ends: Guarded<Ends>

  init(to core: CacheCore) { ends = Guarded(Ends(core: core)) }

  func connect(_ line: CacheLine) { ends.withLock { [weak line] in $0.line = line } }

  func disconnect() { ends.withLock { $0.line = nil } }

  /// Calls a closure with the cache and the entry if both still exist and the link is connected.
  func follow(_ body: (CacheCore, CacheLine) -> Void) {
    let (core, line) = ends.withLock { ($0.core, $0.line) }
    if let core, let line { body(core, line) }
  }
}
