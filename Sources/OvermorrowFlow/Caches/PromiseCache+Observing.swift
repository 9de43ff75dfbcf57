internal import Overmorrow
internal import OvermorrowEngine

extension PromiseCache {
  /// Returns a sequence of the cached value of a key, and of each later value that the cache keeps for the key.
  ///
  /// ```swift
  /// for await image in images.values(for: url) { show(image) }
  /// ```
  ///
  /// The sequence begins with the value that ``peek(_:)`` returns, if there is one, and continues with the values of
  /// loads and of `setValue`. It keeps only the newest value that was not read yet. The sequence starts no
  /// load. It contains nothing for an error, for the end of a lifetime, or for a key that is removed. A later value of
  /// that key follows. A value that the cache does not keep is not in the sequence.
  ///
  /// The sequence ends when the cache is released. It does not retain the cache, and the cache retains the sequence's
  /// buffer only until the iteration ends or the sequence is released. Each sequence can be iterated once. Call this
  /// method for each observer.
  ///
  /// - Parameter key: The key whose values are observed.
  public func values(for key: Key) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observer = CacheObserver<Key, Value, Failure>(key, in: core, continuation)
    core.watch(observer)
    continuation.onTermination = { [weak core, weak observer] _ in
      if let core, let observer { core.unwatch(observer) }
    }
    observer.update()
    return stream
  }
}
