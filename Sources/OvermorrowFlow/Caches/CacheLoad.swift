internal import Overmorrow
internal import OvermorrowEngine

/// The load of an entry of a cache. It retains neither the cache nor the entry.
@usableFromInline
final class CacheLoad: SharedWork, @unchecked Sendable {
  // Sendable: adds only constants, a field that is set before the load is shared, and a field that is only used under
  // the lock of the core.

  private weak let core: CacheCore?
  private let counts: CacheCounts
  private let hash: Int
  /// The time at which the load was made, on the clock of the cache, if the cache needs the times of its loads.
  let beginning: Duration?
  /// The wait of the callers that have found a stale value; `nil` if callers get a stale value at once.
  var staleWait: StaleWait?
  /// For a load that runs inside the call of its first caller, after another caller has asked for the key: the resolver
  /// of the promise, and the promise of the first caller.
  var held: (resolver: UntypedResolver, first: UntypedPromise)?

  /// - Parameters:
  ///   - core: The cache.
  ///   - hash: The hash of the key.
  ///   - keepsPriority: Whether callers that join the load leave its priority as it is.
  @usableFromInline
  init(in core: CacheCore, hash: Int, keepsPriority: Bool = false) {
    self.core = core
    counts = core.counts
    self.hash = hash
    beginning = core.timeOfLoad
    super.init(keepsPriority: keepsPriority)
  }

  /// Counts the beginning of the load.
  @usableFromInline
  func countStart() { counts.add(loads: 1) }

  /// Keeps the result of the load in the entry.
  @usableFromInline
  func finish(isError: Bool) {
    end()
    if isError { counts.add(failures: 1) }
    guard let staleWait else { return follow { $0.keep($1) } }
    var stale: UntypedPromise?
    follow {
      stale = $0.stalePromise(before: $1)
      $0.keep($1)
    }
    staleWait.end(serving: stale, of: self)
  }

  /// Ends the wait of the callers that have found a stale value, because the soft timeout has ended.
  func endSoftTimeout() {
    var stale: UntypedPromise?
    follow { stale = $0.stalePromise(before: $1) }
    staleWait?.end(serving: stale, of: self)
  }

  /// Removes the entry, and cancels the task of an async load.
  @usableFromInline
  func cancel() {
    follow { $0.drop($1) }
    cancelTask()
  }

  /// Calls a closure with the cache and the entry if both still exist.
  private func follow(_ body: (CacheCore, CacheLine) -> Void) {
    if let core, let line = core.line(of: self, hash) { body(core, line) }
  }
}
