internal import Overmorrow
public import OvermorrowEngine

/// Calls an async closure until it succeeds, as often as a policy allows, in the caller's own task.
///
/// ```swift
/// let policy = PromiseRetryPolicy(attempts: 4, backoff: .exponential(.milliseconds(200)))
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
/// running attempt ends as its closure decides. If the task is cancelled already, no attempt begins.
///
/// - Parameters:
///   - policy: The largest number of attempts, the errors after which to retry, and the delays between attempts. By
///     default, three attempts without a delay.
///   - clock: The clock that measures the delays and the policy's deadline. The continuous clock by default.
///   - generator: The source of random numbers for the policy's jitter. Use a seeded generator to get the same numbers
///     each time.
///   - isolation: The actor of the caller. Omit this argument.
///   - fileID: The file of the call, for `PromiseDiagnostics`.
///   - line: The line of the call.
///   - attempt: The closure to call. The closure is called with the number of the attempt, counted from 1.
///   - isRight: A closure that returns whether a value is the one that the retry is for. After another value, a further
///     attempt begins as after an error, except that the policy's conditions and advice for errors do not apply. By
///     default, each value is right.
/// - Returns: The first value that is right. If the policy allows no further attempt, or if the task was cancelled
///   during the last attempt, the value of that attempt.
/// - Throws: The error of the last attempt, if the policy allows no further attempt, or if the task was cancelled
///   during that attempt. `CancellationError` if an attempt throws it, or if the task is cancelled before the first
///   attempt or between two attempts.
@inlinable
public func withRetry<Value, Failure: Error>(
  _ policy: PromiseRetryPolicy<Failure> = PromiseRetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
  generator: any RandomNumberGenerator = SystemRandomNumberGenerator(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ attempt: nonisolated(nonsending) (_ number: Int) async throws(Failure) -> Value,
  until isRight: (_ value: Value) -> Bool = { _ in true }
) async throws -> Value {
  let call = try RetryCall(clock, policy.deadline, at: CallSite(fileID, line))
  defer { call.end() }
  var (number, generator) = (1, generator)
  while true {
    let result: Result<Value, Failure>
    do throws(Failure) {
      let value = try await attempt(number)
      if isRight(value) {
        policy.budget?.recordSuccess()
        return value
      }
      result = .success(value)
    } catch {
      if error is CancellationError { throw error }
      result = .failure(error)
    }
    let error: Failure? = if case .failure(let error) = result { error } else { nil }
    guard try await call.beginsAttempt(after: number, error, policy, clock, &generator) else { return try result.get() }
    number += 1
  }
}

/// A call of `withRetry`. After an attempt that does not end the call, the code of this type decides what follows. The
/// compiler does not specialise this code.
@usableFromInline
struct RetryCall: Sendable {
  /// Returns the time since the call; `nil` if the policy has no deadline.
  private let elapsed: (@Sendable () -> Duration)?
  private let note: NotedCall?

  /// Begins a call. Throws if the task is cancelled.
  @usableFromInline
  init(_ clock: any Clock<Duration>, _ deadline: Duration?, at site: CallSite) throws {
    elapsed = deadline == nil ? nil : clock.stopwatch()
    try Task.checkCancellation()
    note = NotedCall("withRetry", at: site, waitingFor: "its first attempt")
  }

  @usableFromInline
  func end() { note?.end() }

  /// Decides whether a further attempt begins, and waits for the delay before it.
  ///
  /// - Parameter error: The error of the attempt; `nil` if the attempt has a value that is not right.
  /// - Returns: Whether a further attempt begins.
  @usableFromInline
  nonisolated(nonsending) func beginsAttempt<Failure>(
    after number: Int, _ error: Failure?, _ policy: PromiseRetryPolicy<Failure>, _ clock: any Clock<Duration>,
    _ generator: inout any RandomNumberGenerator
  ) async throws -> Bool {
    // A policy without a deadline does not ask for the time.
    let elapsed = elapsed ?? { .zero }
    guard !Task.isCancelled,
      let (delay, retry) = policy.delay(after: number, error, elapsed: elapsed, using: &generator)
    else { return false }
    if delay > .zero {
      note?.wait(for: "the delay before attempt \(number + 1)")
      // A sleep that throws before the task is cancelled ends the delay.
      try? await clock.sleep(for: delay.asWait)
      guard Task.isCancelled || policy.allowsAttempt(elapsed: elapsed) else { return false }
    }
    // Without this attempt, the budget gets the retry back.
    try Task.checkCancellation()
    policy.beginRetry(retry)
    note?.wait(for: "attempt \(number + 1)")
    return true
  }
}
