extension Clock where Duration == Swift.Duration {
  /// Starts a stopwatch: the returned closure gives the time since this call.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
