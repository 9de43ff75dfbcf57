internal import Overmorrow
internal import OvermorrowFlow

/// What the closure of a ``PromiseLoad`` has started.
struct StartedLoad<Value: Sendable> {
  /// The promise of the load.
  let promise: Promise<Value, any Error>
  /// The result, if the load has ended inside the call.
  let result: PromiseResult<Value, any Error>?
  let progress: PromiseProgress?
  /// The entry of the load in a cache.
  let entry: AnyObject?
  /// The value that the cache serves meanwhile.
  let old: FollowedKey<Value>.Kept?

  init<Failure: Error>(
    _ promise: Promise<Value, Failure>, progress: PromiseProgress? = nil, entry: AnyObject? = nil,
    old: FollowedKey<Value>.Kept? = nil
  ) {
    // Inside many nested callbacks, a step has no result yet.
    result = promise.result?.mapError { $0 }
    self.promise = promise.mapError(on: .immediate) { $0 }
    self.progress = progress
    self.entry = entry
    self.old = old
  }
}
