public import Overmorrow
internal import OvermorrowEngine
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
  /// ``reload()`` and `refresh()` load the value again, or join a load in flight. The cache serves its old value
  /// until the new value arrives.
  ///
  /// The handle follows the key of its input, until it loads another key or is reset. If another caller loads the key
  /// again or sets its value, the handle shows the new value. It starts no load, and ``isLoading`` does not become
  /// `true`. If a value that was set has replaced the handle's own load in the cache, that load is asked to cancel.
  /// Errors of other callers, the end of a lifetime and the removal of the key change nothing.
  ///
  /// If ``value`` is set, the set value stays until the cache has a newer value of the key. To show a change in all
  /// views of the key, set the value of the cache by `setValue(_:for:fileID:line:)`.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - load: The closure that starts a load and returns a promise for the value. It is called on the main actor.
  public convenience init<Failure: Error>(
    from cache: PromiseCache<Input, Value, Failure>, fileID: StaticString = #fileID, line: UInt = #line,
    load: @escaping @MainActor (_ key: Input) throws(Failure) -> Promise<Value, Failure>
  ) {
    let site = CallSite(fileID, line)
    self.init(from: cache) { key, isReload in
      cache.show(key, isReload: isReload, at: site) { key in
        // The cache calls this closure inside the call of `show`.
        MainActor.assumeIsolated {
          do throws(Failure) { return try load(key) } catch { return Promise(with: .thrown(error), site: .library) }
        }
      }
    }
  }

  /// Creates a handle that shows the entries of a cache, which are loaded by an async closure.
  ///
  /// Otherwise, this behaves like the initialiser with promises. Each load runs in its own task.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - load: The async closure that loads the value. It is called on the main actor.
  @_disfavoredOverload  // so that a closure which returns a promise is not a load of promises
  public convenience init<Failure: Error>(
    from cache: PromiseCache<Input, Value, Failure>, fileID: StaticString = #fileID, line: UInt = #line,
    load: @escaping @MainActor (_ key: Input) async throws(Failure) -> Value
  ) {
    let site = CallSite(fileID, line)
    self.init(from: cache) { key, isReload in
      cache.show(key, isReload: isReload, at: site, load: load)
    }
  }

  private convenience init<Failure: Error>(
    from cache: PromiseCache<Input, Value, Failure>,
    show: @escaping @MainActor (_ key: Input, _ isReload: Bool) -> PromiseCache<Input, Value, Failure>.Shown
  ) {
    self.init { key, isReload in
      let shown = show(key, isReload)
      return StartedLoad(shown.promise, entry: shown.entry, old: shown.old)
    } follow: { key, onChange in
      FollowedKey(kept: { cache.kept(key) }, follower: cache.follow(key, onChange: onChange))
    }
  }
}
