internal import Overmorrow

/// Calls an async closure until it succeeds, as often as a policy allows, in the caller's own task.
///
/// ```swift
/// let policy = PromiseRetryPolicy<any Error>(attempts: 4, backoff: .exponential(.milliseconds(200)))
/// let page = try await withRetry(policy) { _ in
///   try await service.page()
/// }
/// ```
///
/// The policy, its delays, its jitter and its conditions are those of `Promise.retry`. No task is created. The closure
/// runs on the actor of the caller, and may capture and return values that are not `Sendable`. The closures of the
/// policy run on that actor, too.
///
/// If the caller's task is cancelled, no further attempt begins, and a delay between two attempts ends at once. A
/// running attempt ends as its closure decides.
///
/// - Parameters:
///   - policy: The largest number of attempts, the errors after which to retry, and the delays between attempts. By
///     default, three attempts without a delay.
///   - clock: The clock that measures the delays and the policy's deadline. The continuous clock by default.
///   - generator: The source of random numbers for the policy's jitter. Use a seeded generator to get the same numbers
///     each time.
///   - isolation: The actor of the caller. Omit this argument.
///   - attempt: The closure to call. The closure is called with the number of the attempt, counted from 1.
/// - Returns: The value of the first attempt that succeeds.
/// - Throws: The error of the last attempt, if the policy allows no further attempt, or if the task was cancelled
///   during that attempt. `CancellationError` if an attempt throws it, or if the task is cancelled before the first
///   attempt or between two attempts.
public func withRetry<Value, Failure: Error>(
  _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
  generator: any RandomNumberGenerator = SystemRandomNumberGenerator(),
  isolation: isolated (any Actor)? = #isolation,
  _ attempt: nonisolated(nonsending) (_ number: Int) async throws(Failure) -> Value
) async throws -> Value {
  let elapsed = clock.stopwatch()
  var (number, generator) = (1, generator)
  try Task.checkCancellation()
  while true {
    do throws(Failure) {
      let value = try await attempt(number)
      policy.budget?.recordSuccess()
      return value
    } catch {
      guard !(error is CancellationError), !Task.isCancelled,
        let (delay, retry) = policy.delay(after: number, error, elapsed: elapsed, using: &generator)
      else { throw error }
      if delay > .zero {
        // A sleep that throws before the task is cancelled ends the delay.
        try? await clock.sleep(for: delay.asWait)
        guard Task.isCancelled || policy.allowsAttempt(elapsed: elapsed) else { throw error }
      }
      // Without this attempt, the budget gets the retry back.
      try Task.checkCancellation()
      retry?.use()
      number += 1
    }
  }
}
