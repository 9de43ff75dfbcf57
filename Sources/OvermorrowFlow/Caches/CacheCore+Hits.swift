internal import Overmorrow
internal import OvermorrowEngine

/// What may be served to a caller, and the counting of uses.
extension CacheCore {
  /// Returns the entries whose keys have a hash, and whether the only one has a fresh value. If so, counts a hit. If
  /// its key turns out to be another one, ``takeBackHit()`` must follow. `nil` stands for a question to
  /// ``serves(_:)``.
  ///
  /// With an order, no use is counted, because the order could not be restored.
  @usableFromInline
  func bucketCountingHit(_ hash: Int) -> (bucket: CacheBucket?, isHit: Bool?) {
    if isOrdered { return (bucket(hash), nil) }
    let now = timeToLive == nil ? nil : elapsed()
    return state.read { state, hits -> (CacheBucket?, Bool?) in
      let bucket = state.buckets[hash]
      guard !state.isObserved, let bucket, bucket.others.isEmpty else { return (bucket, nil) }
      guard mayServe(bucket.first, at: now) else { return (bucket, false) }
      hits += 1
      return (bucket, true)
    }
  }

  /// Undoes the counting of a use.
  @usableFromInline
  func takeBackHit() { state.read { $1 -= 1 } }

  /// Returns whether an entry has a fresh value. If so, counts a hit, and notes the use of the entry.
  @usableFromInline
  func serves(_ line: CacheLine) -> Bool {
    let now = timeToLive == nil ? nil : elapsed()
    let (isServed, isObserved) = isOrdered ? servesInOrder(line, now) : servesAtOnce(line, now)
    if isObserved { counts.add(hits: 1) }
    return isServed
  }

  @inline(__always)
  private func servesAtOnce(_ line: CacheLine, _ now: Duration?) -> (isServed: Bool, isObserved: Bool) {
    state.read { state, hits -> (Bool, Bool) in
      guard mayServe(line, at: now) else { return (false, false) }
      if !state.isObserved { hits += 1 }
      return (true, state.isObserved)
    }
  }

  @inline(__always)
  private func servesInOrder(_ line: CacheLine, _ now: Duration?) -> (isServed: Bool, isObserved: Bool) {
    state.withLock { state -> (Bool, Bool) in
      guard mayServe(line, at: now) else { return (false, false) }
      state.touch(line)
      if !state.isObserved { state.hits += 1 }
      return (true, state.isObserved)
    }
  }

  /// Returns whether an entry has a fresh value. Called under the lock.
  @inline(__always)
  private func mayServe(_ line: CacheLine, at now: Duration?) -> Bool {
    line.hasValue && Self.isFresh(line, timeToLive, at: now, ahead: line.ahead)
  }

  /// Counts a hit, and notes the use of the entry.
  func use(_ line: CacheLine) {
    if isOrdered { state.withLock { $0.touch(line) } }
    counts.add(hits: 1)
  }

  /// The numbers of hits, misses, loads and failures.
  ///
  /// While other threads use the cache, the numbers contain what these threads did before the call, and perhaps what
  /// they do during the call.
  var counters: CacheCounters {
    var all = counts.all
    all.hits += state.count + state.read { state, _ in state.hits }
    return all
  }

  /// Sets an observer of the changes of the ``counters``.
  func observeCounters(_ observer: @escaping CacheCountersObserver) {
    counts.observe(observer)
    state.withLock { $0.isObserved = true }
  }

  /// Returns whether a result with a lifetime may still be used. A lifetime of `nil` never ends.
  ///
  /// - Parameter isAhead: Whether a value that is due to be loaded again counts as too old.
  func isFresh(_ line: CacheLine, _ lifetime: Duration?, isAhead: Bool = false) -> Bool {
    let now = lifetime == nil ? nil : elapsed()
    return read {
      // If the promise has just resolved, another thread has perhaps not kept its result yet. A kept value has an
      // arrival if it has a lifetime.
      let isKept = line.hasValue || line.arrival != nil
      return !isKept && lifetime.map { $0 > .zero } != false
        || Self.isFresh(line, lifetime, at: now, ahead: isAhead ? line.ahead : 0)
    }
  }

  private static func isFresh(
    _ line: CacheLine, _ lifetime: Duration?, at now: Duration?, ahead: Float = 0
  ) -> Bool {
    guard let lifetime, let now else { return true }
    guard lifetime > .zero, let arrival = line.arrival else { return false }
    let age = now - arrival
    return ahead > 0 ? age + .seconds(Double(ahead)) < lifetime : age < lifetime
  }

  /// Returns the entry whose value may be served, fresh or stale: `line` or its previous entry. Returns `nil` if
  /// neither value may be served.
  func servable(_ line: CacheLine) -> CacheLine? {
    let (hasValue, previous) = read { (line.hasValue, line.previous) }
    guard let candidate = hasValue ? line : previous, isFresh(candidate, servingTime) else { return nil }
    return candidate
  }

  /// Returns the previous entry of an entry if its value may still be served.
  func stale(before line: CacheLine) -> CacheLine? {
    read { line.previous }.flatMap { isFresh($0, servingTime) ? $0 : nil }
  }
}
