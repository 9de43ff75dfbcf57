internal import Overmorrow
internal import OvermorrowEngine

/// The ends of lifetimes.
extension CacheCore {
  /// Removes an entry at the end of the lifetime of its result. If the entry leaves the cache earlier, does nothing.
  func expire(_ line: CacheLine) {
    let alarm = state.withLock { state -> CacheExpiries.Alarm? in
      guard let lifetime = line.hasValue ? servingTime : failureTimeToLive, let arrival = line.arrival
      else { return nil }
      return state.expire(line, at: arrival + lifetime)
    }
    if let alarm { set(alarm) }
  }

  /// Sets the timer of an alarm.
  private func set(_ alarm: CacheExpiries.Alarm) {
    var alarm = alarm
    alarm.replaced.take()?.cancel()
    let expiry = Expiry(core: self, alarm: alarm)
    let timer = makeTimer(alarm.time) { PromiseContext.default.perform { expiry.dropDue() } }
    state.withLock { $0.expiries.keep(timer, of: alarm) }?.cancel()
  }

  /// Removes the entries whose lifetimes have ended, a limited number of them under each lock, and sets the next timer.
  fileprivate func dropDue(_ alarm: CacheExpiries.Alarm) {
    while true {
      let now = elapsed()
      var (due, next, fired) = state.withLock { $0.expiries.takeDue(alarm, at: now) }
      let count = due.count
      // Each entry is released before the next one is dropped.
      while let line = due.popLast() { drop(line) }
      withExtendedLifetime(fired) {}
      if let next { return set(next) }
      if count < CacheExpiries.mostDue { return }
    }
  }

  /// Cancels the timer.
  func stopExpiring() { state.withLock { $0.expiries.stop() }?.cancel() }
}

/// The way from a timer to its cache, which the timer does not retain.
private struct Expiry: Sendable {
  weak let core: CacheCore?
  let alarm: CacheExpiries.Alarm

  func dropDue() { core?.dropDue(alarm) }
}
