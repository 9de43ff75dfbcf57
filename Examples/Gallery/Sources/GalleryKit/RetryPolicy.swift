import Overmorrow

/// How often to try something again, and how long to pause in between.
package struct RetryPolicy: Sendable {
  /// How many attempts there are in all, the first one included.
  package var attempts: Int

  /// The pause after the first failure. It doubles with each further one.
  package var pause: Duration

  package init(attempts: Int = 4, pause: Duration = .milliseconds(100)) {
    precondition(attempts > 0, "RetryPolicy(attempts: \(attempts)): at least one attempt is needed")
    self.attempts = attempts
    self.pause = pause
  }

  /// Runs `attempt` until it succeeds, fails for good, or there are no attempts left.
  ///
  /// - Fulfils: as the first attempt that does.
  /// - Fails: with the error of the last attempt.
  /// - Cancels: when asked to: a running attempt is asked to cancel, a pause ends at once.
  /// - Runs on: `context`, all three closures.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the pauses.
  ///   - isWorthwhile: Whether an error may go away when tried again.
  ///   - willRetry: Called before each pause, with the number of attempts made and the error of the last one.
  ///   - attempt: Starts an attempt.
  func run<Value, Failure: Error>(
    on context: PromiseContext,
    clock: any Clock<Duration>,
    isWorthwhile: @escaping @Sendable (Failure) -> Bool,
    willRetry: @escaping @Sendable (_ attempts: Int, Failure) -> Void,
    attempt: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    @Sendable func run(_ number: Int, nextPause: Duration) -> Promise<Value, Failure> {
      attempt().flatMapError(on: context) { error in
        guard number < attempts, isWorthwhile(error) else { return Promise(rejected: error) }
        willRetry(number, error)
        return Promise<Void, Failure>(on: context, fulfilled: (), after: nextPause, clock: clock)
          .flatMap(on: context) { run(number + 1, nextPause: nextPause * 2) }
      }
    }
    return run(1, nextPause: pause)
  }
}
