public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// Limits the rate at which work begins, by a token bucket.
///
/// ```swift
/// let limiter = PromiseRateLimiter(100, per: .seconds(1), burst: 20, maxWait: .milliseconds(500))
/// let page = try await limiter.perform { try await service.page() }
/// ```
///
/// The bucket gets tokens at a fixed rate and holds at most `burst` tokens. Each call takes one token. If there is no
/// token, the call waits for its token, in the order of the calls. If it would wait longer than `maxWait`, the call is
/// refused at once with ``PromiseRefusalError/rateExceeded(retryAfter:)``. If a call is cancelled before its work
/// begins, it returns its token, and the calls that wait behind it begin earlier.
///
/// Unlike a ``PromiseLimiter``, a rate limiter does not limit how many calls run at a time. **A rate limiter may be
/// used from any thread.** At most as many calls wait as get a token during `maxWait`.
public final class PromiseRateLimiter: Sendable {
  private let core: RateCore
  private let bucket = RateCore.Entry(0)

  /// Creates a rate limiter with a full bucket.
  ///
  /// - Parameters:
  ///   - count: The number of tokens that the bucket gets in each `duration`. A value below 1 counts as 1.
  ///   - duration: The time in which the bucket gets `count` tokens. Zero or less counts as a nanosecond.
  ///   - burst: The number of tokens in a full bucket. `nil`, the default, means `count`. A value below 1 counts as 1.
  ///   - maxWait: The longest time for which a call waits for its token. Zero by default, so that a call without a
  ///     token is refused. A negative duration counts as zero.
  ///   - clock: The clock that measures the rate. The continuous clock by default.
  public init(
    _ count: Int, per duration: Duration, burst: Int? = nil, maxWait: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    core = RateCore(
      .usable(count, per: duration, burst: burst, maxWait: maxWait, of: "PromiseRateLimiter"), clock: clock,
      capacity: 0)
  }

  /// Starts work whose result is a promise when the call has its token.
  ///
  /// - Fulfils, fails, cancels: as the promise that `work` returns. If the call is refused, the promise is rejected
  ///   with ``PromiseRefusalError/rateExceeded(retryAfter:)``. A request to cancel before `work` is called cancels the
  ///   promise at once. If `work` is never called, the token is returned.
  /// - Runs on: `context`. With `.immediate`, `work` runs inside this call if there is a token. If the call waits,
  ///   `.immediate` counts as `.auto`.
  /// - Order: calls get their tokens in the order of the calls.
  /// - Parameters:
  ///   - context: The context on which `work` runs.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: A closure that starts the work and returns a promise for its result.
  @inlinable
  public func run<Value: Sendable>(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    begin().run(on: context, at: CallSite(fileID, line), work)
  }

  /// Calls an async closure in the caller's own task when the call has its token.
  ///
  /// The closure runs on the actor of the caller, and may capture and return values that are not `Sendable`. If the
  /// task is cancelled during the wait, the call ends at once, and the token is returned. If the task is cancelled
  /// already, the call takes no token, and `work` is not called.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: The closure to call.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure. ``PromiseRefusalError/rateExceeded(retryAfter:)`` if the call is refused.
  ///   `CancellationError` if the task is cancelled before the call or during the wait.
  @inlinable
  public func perform<Value>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let turn = try beginInTask()
    let call = NotedCall(
      "PromiseRateLimiter.perform", at: CallSite(fileID, line), waitingFor: turn == nil ? "its closure" : "its token")
    defer { call?.end() }
    if let turn {
      try await turn.wait()
      call?.wait(for: "its closure")
    }
    return try await work()
  }

  /// Begins a call of `run`.
  @usableFromInline
  func begin() -> RateTurn { core.begin(in: bucket) }

  /// Begins a call of the current task. Returns its turn; `nil` if the call has its token.
  @usableFromInline
  func beginInTask() throws -> RateTurn? { try core.beginInTask(in: bucket) }

  var settings: TokenBucket.Settings { core.settings }

  /// Sets an observer of the calls that are admitted, wait and are refused, for a metrics library.
  package func observe(_ observer: @escaping FlowObserver) { core.observe(observer) }

  /// The number of tokens in the bucket, and the time for which a call would wait for a token.
  var content: (tokens: Int, wait: Duration) { core.content(of: bucket) }
}

extension TokenBucket.Settings {
  /// Creates settings from the arguments of a limiter, with the nearest valid numbers.
  static func usable(
    _ count: Int, per duration: Duration, burst: Int?, maxWait: Duration, of type: String
  ) -> TokenBucket.Settings {
    let count = Diagnostics.replace(count, by: max(count, 1), "\(type).count")
    let burst = burst.map { Diagnostics.replace($0, by: max($0, 1), "\(type).burst") }
    let duration = Diagnostics.replace(
      duration, by: duration > .zero ? duration : .nanoseconds(1), "\(type).per")
    return TokenBucket.Settings(count, per: duration, burst: burst ?? count, maxWait: maxWait)
  }
}
