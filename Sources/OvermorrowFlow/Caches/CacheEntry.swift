internal import Overmorrow
internal import OvermorrowEngine

/// The entry of a key in a cache: a load or its result, and the previous value while that value may still be served.
final class CacheEntry<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: IndexedHeapEntry,
  @unchecked Sendable
{
  // Sendable: `index` and `number` are only touched under the lock of the table, and every other field that changes has
  // its own lock.
  let key: Key
  let hash: Int
  /// The promise of the entry. When all its children have asked to cancel, the promise passes the request on to the
  /// load, even though this entry retains a handle.
  let promise: Promise<Value, Failure>
  /// The entry that this entry has replaced, or `nil` if there is none or this entry has a value.
  let previous: Guarded<CacheEntry?>
  /// The task of an async load; `nil` for other loads.
  private let task: SharedWork?
  private let age = Guarded<Age?>(nil)
  var index: Int?
  var number: UInt64 = 0

  /// The age of a result, and the timer for the end of its lifetime. Without a timer, the lifetime never ends.
  private struct Age: Sendable {
    let elapsed: @Sendable () -> Duration
    let timer: Timer?
  }

  init(_ key: Key, _ promise: Promise<Value, Failure>, after previous: CacheEntry?, _ task: SharedWork?) {
    self.key = key
    hash = key.hashValue
    self.promise = promise
    self.previous = Guarded(previous)
    self.task = task
  }

  deinit { age.withLock { $0 }?.timer?.cancel() }

  /// Whether there is a value. A read of this property does not count as reading an error.
  var hasValue: Bool { promise.hasValue }

  /// Returns the promise for one more caller. If the caller runs on behalf of this load, or of a load that this load
  /// waits for, reports the cycle and returns a cancelled promise. In all other cases, returns `child`.
  func admit(_ child: Promise<Value, Failure>, _ site: CallSite) -> Promise<Value, Failure> {
    if task?.admits(child) != false { return child }
    PromiseDiagnostics.report(.resolvedWithItself(origin: site.text))
    child.requestCancel()
    return Promise(with: .cancelled)
  }

  /// Releases the previous entry if it is `entry`.
  func release(previous entry: CacheEntry) {
    let released = previous.withLock { $0 === entry ? $0.take() : nil }
    withExtendedLifetime(released) {}
  }

  /// Returns whether a result with a lifetime may still be used. A lifetime of `nil` never ends.
  func isFresh(_ lifetime: Duration?) -> Bool {
    guard let lifetime else { return true }
    guard lifetime > .zero else { return false }
    // If the promise has just resolved, another thread has perhaps not set the age yet.
    return age.withLock { $0 }.map { $0.elapsed() < lifetime } ?? true
  }

  /// Starts to measure the age of the result.
  ///
  /// - Parameter onEnd: A closure that runs when the age reaches `lifetime`. If the entry is released earlier, the
  ///   closure does not run.
  func expire(after lifetime: Duration?, on clock: any Clock<Duration>, _ onEnd: @escaping @Sendable () -> Void) {
    // The stopwatch starts before the timer, so that the result is no longer fresh when the timer ends.
    let elapsed = clock.stopwatch()
    let timer = lifetime.map { lifetime in
      Timer(after: lifetime, on: clock, isHousekeeping: true) { PromiseContext.default.perform { onEnd() } }
    }
    age.withLock { $0 = Age(elapsed: elapsed, timer: timer) }
  }
}
