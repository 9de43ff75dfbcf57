public import Overmorrow
public import OvermorrowFlow

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PromiseLoad where Input: Hashable & Sendable {
  /// Creates a handle that shows the entries of a cache, which are loaded by promises.
  ///
  /// ```swift
  /// let list = PromiseLoad(from: articles) { id in try await service.article(id) }
  /// ```
  ///
  /// A cached value appears inside the call of ``load(_:)``. If the value is stale, it appears at once, and the fresh
  /// value replaces it when the load has ended. Handles and other callers that ask for the same key share one load.
  ///
  /// ``reload()`` and ``refresh()`` load the value again, or join a load in flight. The cache keeps its old value until
  /// the new value arrives.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - load: The closure that starts a load and returns a promise for the value. It is called on the main actor.
  public convenience init<Failure: Error>(
    from cache: PromiseCache<Input, Value, Failure>,
    load: @escaping @MainActor (_ key: Input) throws(Failure) -> Promise<Value, Failure>
  ) {
    self.init(
      cache, start: { try load($0) },
      cached: { key in cache.promise(for: key) { key throws(Failure) in try load(key) } })
  }

  /// Creates a handle that shows the entries of a cache, which are loaded by an async closure.
  ///
  /// Otherwise, this behaves like the initialiser with promises. Each load runs in its own task.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - load: The async closure that loads the value. It is called on the main actor.
  @_disfavoredOverload  // so that a closure which returns a promise is not a load of promises
  public convenience init<Failure: Error>(
    from cache: PromiseCache<Input, Value, Failure>,
    load: @escaping @MainActor (_ key: Input) async throws(Failure) -> Value
  ) {
    self.init(
      cache, start: { key in Promise { () async throws(Failure) in try await load(key) } },
      cached: { key in cache.promise(for: key) { key async throws(Failure) in try await load(key) } })
  }

  private convenience init<Failure: Error>(
    _ cache: PromiseCache<Input, Value, Failure>, start: @escaping @MainActor (Input) throws -> Promise<Value, Failure>,
    cached: @escaping @MainActor (Input) -> Promise<Value, Failure>
  ) {
    self.init(start: { key, isReload in
      if isReload {
        if let loading = cache.loadInFlight(for: key) { return StartedLoad(loading) }
        return StartedLoad(
          try start(key).map(on: .immediate) { value in
            cache.setValue(value, for: key)
            return value
          })
      }
      let promise = cached(key)
      if let stale = promise.result?.value, let loading = cache.loadInFlight(for: key) {
        return StartedLoad(loading, value: stale)
      }
      return StartedLoad(promise)
    })
  }
}
