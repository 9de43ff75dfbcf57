/// Loads what belongs to a key once, however many ask for it, and keeps it for those who ask later.
///
/// ```swift
/// let images = PromiseCache<URL, Image, any Error>(timeToLive: .seconds(600))
/// let image = images.promise(for: url, on: .utility) { url in fetchImage(url) }
/// ```
///
/// Each caller has a vote: a load is asked to cancel when all those who wait for it have asked, and is forgotten then, so
/// that whoever asks next starts another one. **A cache may be used from any thread.** None of your code runs under its
/// lock, not even the comparison of keys.
///
/// A load that is on its way when the last reference to the cache goes is finished for those who wait for it.
public final class PromiseCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
  private typealias Entry = CacheEntry<Key, Value, Failure>

  private let table = CacheTable<Key, Value, Failure>()
  private let timeToLive: Duration?
  private let failureTimeToLive: Duration?
  private let clock: any Clock<Duration>

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - timeToLive: How long a value is kept, from when it is there; `nil` means for ever, zero or less not at all, so
  ///     that only those who wait for the same load share it.
  ///   - failureTimeToLive: How long an error is kept, in the same way; by default not at all, so that whoever asks next
  ///     tries again.
  ///   - clock: What measures the time. What has had its time is let go by itself, on a global queue.
  public init(
    timeToLive: Duration? = nil, failureTimeToLive: Duration? = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.timeToLive = timeToLive
    self.failureTimeToLive = failureTimeToLive
    self.clock = clock
  }

  /// A promise for what belongs to a key: kept, on its way, or loaded now.
  ///
  /// - Fulfils, fails, cancels: as the load, without a hop; it is resolved already if the result is kept. A request to
  ///   cancel is one of the callers' votes on the load. When all have asked before `load` was called, they are cancelled
  ///   at once, and it is released without having been called.
  /// - Pauses: the load begins when the ``PromisePause`` that `context` is under, if any, is not suspended.
  /// - Runs on: `context`. With `.immediate` or `.nowOr`, `load` runs during this call.
  /// - Order: the result is kept, or forgotten, before any caller hears of it. A load that is cancelled is never kept.
  /// - Parameters:
  ///   - key: What to load.
  ///   - context: Where `load` runs.
  ///   - fileID: Where the promise is made, for ``PromiseDiagnostics``: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  ///   - load: Begins to load, and returns a promise for the result. Called if nothing is kept for the key, and nothing
  ///     is on its way.
  public func promise(
    for key: Key, on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    load: @escaping @Sendable (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    find(key, on: context, CallSite(fileID, line)) { key in
      Promise.rejectedIfThrown { () throws(Failure) in try load(key) }
    }
  }

  /// What is kept for a key; `nil` if there is nothing, or it is still on its way. Starts nothing.
  ///
  /// - Parameter key: What was loaded.
  public func peek(_ key: Key) -> PromiseResult<Value, Failure>? {
    guard let entry = table.entry(for: key), let result = entry.promise.result else { return nil }
    return entry.isFresh(lifetime(of: result)) ? result : nil
  }

  /// Forgets a key.
  ///
  /// A load on its way is finished for those who wait for it, but not kept. Whoever asks next starts another one.
  ///
  /// - Parameter key: What to forget.
  public func remove(_ key: Key) {
    while let entry = table.entry(for: key), !table.replace(entry, by: nil, for: key) {}
  }

  /// Forgets all keys, each as by ``remove(_:)``.
  public func removeAll() { table.removeAll() }

  /// How many keys something is kept, or on its way, for.
  public var count: Int { table.count }

  private func find(
    _ key: Key, on context: PromiseContext, _ site: CallSite,
    _ load: @escaping @Sendable (Key) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    while true {
      let found = table.entry(for: key)
      if let promise = found?.join(lifetime(of:)) { return promise }
      let (entry, work) = makeEntry(key, on: context, site, load)
      // The first vote is in before anybody else can see the entry.
      let promise = entry.promise.makeChild()
      if table.replace(found, by: entry, for: key) {
        work.start()
        return promise
      }
      // Somebody else was quicker; this load will not begin.
      work.cancel()
    }
  }

  /// For how long a result is kept; `nil` means for ever.
  private func lifetime(of result: PromiseResult<Value, Failure>) -> Duration? {
    switch result {
    case .value: timeToLive
    case .error: failureTimeToLive
    case .cancelled: .zero
    }
  }

  private func makeEntry(
    _ key: Key, on context: PromiseContext, _ site: CallSite,
    _ load: @escaping @Sendable (Key) -> Promise<Value, Failure>
  ) -> (Entry, HeldWork<Value, Failure>) {
    let (loading, work) = HeldWork<Value, Failure>.make(on: context, at: site) { _ in load(key) }
    // Neither a load nor a timer keeps the cache, or an entry that it has forgotten.
    let promise = loading.propagatingCancellation(on: .immediate) { [weak self] promise in
      self?.forget(key, promise)
    }
    let entry = Entry(key, promise)
    promise.whenOver { [weak self, weak entry] result in
      if let self, let entry { self.keep(entry, with: result) }
    }
    return (entry, work)
  }

  /// All who wait for a load have asked to cancel it.
  private func forget(_ key: Key, _ promise: Promise<Value, Failure>) {
    guard let entry = table.entry(for: key), entry.promise == promise else { return }
    _ = table.replace(entry, by: nil, for: key)
  }

  /// A load is over: its result is kept as long as it may be.
  private func keep(_ entry: Entry, with result: PromiseResult<Value, Failure>) {
    guard let lifetime = lifetime(of: result) else { return }
    guard lifetime > .zero else {
      _ = table.replace(entry, by: nil, for: entry.key)
      return
    }
    entry.expire(after: lifetime, on: clock) { [weak self, weak entry] in
      if let self, let entry { _ = self.table.replace(entry, by: nil, for: entry.key) }
    }
  }
}
