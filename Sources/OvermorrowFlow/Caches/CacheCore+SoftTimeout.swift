internal import Overmorrow
internal import OvermorrowEngine

/// The soft timeouts of loads.
extension CacheCore {
  /// Starts the soft timeout of a load in the cache if callers wait for it.
  func startSoftTimeout(of load: CacheLoad) {
    guard let wait = load.staleWait, wait.needsTimer else { return }
    let context = PromiseContext.immediate.afterTimer(on: clock)
    let end = { @Sendable [weak load] () -> Void in load?.endSoftTimeout() }
    wait.keep(Timer(after: softTimeLeft(of: wait), on: clock) { context.perform(end) })
  }

  /// The rest of the time for which callers wait for a load. It is not positive at the end of this time.
  func softTimeLeft(of wait: StaleWait) -> Duration { softTimeout - (elapsed() - wait.beginning) }

  /// Returns the promise of the value that may be served before a load.
  func stalePromise(before line: CacheLine) -> UntypedPromise? {
    stale(before: line).flatMap { old in read { old.untypedPromise } }
  }
}
