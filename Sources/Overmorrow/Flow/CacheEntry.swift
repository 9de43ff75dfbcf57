/// What a cache knows of a key: a load, or its result.
final class CacheEntry<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  let key: Key
  /// Passes a request on when all its children have asked, though it is held here.
  let promise: Promise<Value, Failure>
  private let age = Guarded<Age?>(nil)

  /// How old a result is, and the timer that ends it.
  private struct Age: Sendable {
    let elapsed: @Sendable () -> Duration
    let lifetime: Duration
    let end: Promise<Void, Never>
  }

  init(_ key: Key, _ promise: Promise<Value, Failure>) {
    self.key = key
    self.promise = promise
  }

  deinit { age.withLock { $0 }?.end.requestCancel() }

  /// A promise for one more caller, or `nil` if this is no good any more.
  ///
  /// - Parameter lifetime: For how long a result may be used; `nil` means for ever.
  func join(_ lifetime: (PromiseResult<Value, Failure>) -> Duration?) -> Promise<Value, Failure>? {
    guard let result = promise.result else { return promise.makeChildUnlessCancelling() }
    return isFresh(lifetime(result)) ? promise : nil
  }

  /// Whether a result with such a lifetime may be used now.
  func isFresh(_ lifetime: Duration?) -> Bool {
    guard let lifetime else { return true }
    guard lifetime > .zero else { return false }
    // Nobody has set the age yet if the promise has resolved this very moment.
    return age.withLock { $0 }.map { $0.elapsed() < $0.lifetime } ?? true
  }

  /// Starts to count the lifetime of the result.
  ///
  /// - Parameter onEnd: Runs when it is over, unless the entry has gone by then.
  func expire(after lifetime: Duration, on clock: any Clock<Duration>, _ onEnd: @escaping @Sendable () -> Void) {
    let end = Promise<Void, Never>(on: .default, fulfilled: (), after: lifetime, clock: clock)
    end.then(on: .immediate) { onEnd() }
    let elapsed = clock.stopwatch()
    age.withLock { $0 = Age(elapsed: elapsed, lifetime: lifetime, end: end) }
  }
}
