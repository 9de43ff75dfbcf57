public import Overmorrow
public import OvermorrowDiagnostics
public import OvermorrowEngine

/// The calls with an async load. Their code is compiled in the module of the client, because code that does not know
/// its types would spend most of its time with them.
extension PromiseCache {
  @usableFromInline typealias AsyncWork = (load: CacheLoad, resolver: Made.Resolver)

  /// Returns a promise for the value of a key. Starts an async load if the value is neither cached nor in flight.
  /// Returns `nil` if the caller would wait for itself.
  @inlinable
  func find(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> CacheCall<Value, Failure>? {
    find(place, asChild: true, site) { place, stale in
      makeAsyncEntry(place, after: stale, site)
    } start: { work, _ in
      start(place.key, work, load)
    }
  }

  /// Waits for the value of a key in the current task. Starts an async load if the value is neither cached nor in
  /// flight. Throws if the task would wait for itself.
  @inlinable
  nonisolated(nonsending) func loadedValue(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) async throws -> Value {
    // If nothing looks at the requests of the calling code, the task waits for the promise of the entry. The load then
    // starts when the task waits, so that the cache gets the result before the task.
    var waiting: AsyncWork?
    let call = find(place, asChild: SharedWork.recordsRequests, site) { place, stale in
      makeAsyncEntry(place, after: stale, site)
    } start: { work, hasVote in
      if hasVote { waiting = work } else { start(place.key, work, load) }
    }
    guard let call else { throw PromiseRefusalError.waitsForItself }
    if call.hasVote {
      let result = await call.promise.waitForFinalResult {
        if let work = waiting { start(place.key, work, load) }
      }
      return try result.get()
    }
    let wait = try call.load?.beginWait(for: UntypedPromise(call.promise), site)
    // The wait must not release the load, whose holdings may be the last ones, under its lock.
    defer { withExtendedLifetime(call.load) { wait?.endWait() } }
    return try await call.promise.value
  }

  /// Makes the entry and the promise of an async load. The resolver belongs to the task of the load.
  @inlinable
  func makeAsyncEntry(
    _ place: CachePlace<Key, Value, Failure>, after stale: Entry?, keepsPriority: Bool = false, _ site: CallSite
  ) -> (entry: Entry, promise: Made, work: AsyncWork) {
    let load = CacheLoad(in: core, hash: place.hash, keepsPriority: keepsPriority)
    let (promise, resolver) = Made.makeForLibrary(at: site, by: .asyncLoad)
    connect(promise, resolver, to: load, place.key)
    let entry = Entry(place.key, hash: place.hash, at: site, UntypedPromise(promise), after: stale, load)
    return (entry, promise, (load, resolver))
  }

  /// Starts the task of an async load. The entry is in the cache.
  @inlinable
  func start(
    _ key: Key, _ work: AsyncWork,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) {
    work.load.countStart()
    work.load.start {
      // Each branch creates its task directly, so that the closure needs no thunks.
      HandOverCount.isCounting
        ? Task.counted { await Self.run(key, work, load) } : Task { await Self.run(key, work, load) }
    }
  }

  /// Runs an async load in its task, and resolves its promise.
  @inlinable
  @inline(__always)
  static func run(
    _ key: Key, _ work: AsyncWork,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) async {
    work.load.begin()
    if UntypedPromise.isWatching { work.resolver.noteTask() }
    do throws(Failure) {
      work.resolver.fulfill(with: try await load(key))
    } catch {
      work.resolver.resolve(with: work.resolver.isUnneeded ? .cancelled : .thrown(error))
    }
  }
}
