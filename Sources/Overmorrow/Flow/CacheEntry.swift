/// What a cache has for a key: a load, or its result; and the previous value, as long as that may be served instead.
final class CacheEntry<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: IndexedHeapEntry,
  @unchecked Sendable
{
  // Sendable: `index` and `number` are only touched under the lock of the table, and nothing else changes without a
  // lock.
  let key: Key
  let hash: Int
  /// Passes a request on when all its children have asked, though it is held here.
  let promise: Promise<Value, Failure>
  /// The entry that this one has replaced; `nil` once there is another value.
  let previous: Guarded<CacheEntry?>
  private let age = Guarded<Age?>(nil)
  var index: Int?
  var number: UInt64 = 0

  /// The age of a result, and the timer that ends it, if there is one.
  private struct Age: Sendable {
    let elapsed: @Sendable () -> Duration
    let end: Promise<Void, Never>?
  }

  init(_ key: Key, _ promise: Promise<Value, Failure>, after previous: CacheEntry?) {
    self.key = key
    hash = key.hashValue
    self.promise = promise
    self.previous = Guarded(previous)
  }

  deinit { age.withLock { $0 }?.end?.requestCancel() }

  /// Whether there is a value. Reading the result would count as having read an error.
  var hasValue: Bool { withExtendedLifetime(promise.handle) { promise.handle.core.outcome == .value } }

  /// Whether a result with such a lifetime may be used now; `nil` means for ever.
  func isFresh(_ lifetime: Duration?) -> Bool {
    guard let lifetime else { return true }
    guard lifetime > .zero else { return false }
    // The age may not be set yet, if the promise has just resolved.
    return age.withLock { $0 }.map { $0.elapsed() < lifetime } ?? true
  }

  /// Starts to count the age of the result.
  ///
  /// - Parameter onEnd: Runs when it has reached its lifetime, unless the entry is gone by then.
  func expire(after lifetime: Duration?, on clock: any Clock<Duration>, _ onEnd: @escaping @Sendable () -> Void) {
    // Pending as long as the result is kept: no mistake that checks should find.
    let end = PromiseScope.outside {
      lifetime.map { Promise<Void, Never>(on: .default, fulfilled: (), after: $0, clock: clock) }
    }
    end?.then(on: .immediate) { onEnd() }
    let elapsed = clock.stopwatch()
    age.withLock { $0 = Age(elapsed: elapsed, end: end) }
  }
}
