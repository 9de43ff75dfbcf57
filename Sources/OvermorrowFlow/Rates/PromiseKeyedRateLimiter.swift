public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// Limits the rate at which work begins for each key, such as a client of a service, by one token bucket for each key.
///
/// ```swift
/// let limiter = PromiseKeyedRateLimiter<String>(10, per: .seconds(1), burst: 20)
///
/// func answer(_ request: Request) async throws -> Response {
///   try await limiter.perform(for: request.client) { try await respond(to: request) }
/// }
/// ```
///
/// Each key has a bucket like that of a ``PromiseRateLimiter``. The limiter has at most `maxKeys` buckets. If a further
/// key is used, the limiter removes the bucket that is full first, because an unused key has a full bucket. If more
/// than `maxKeys` keys are in use at the same time, such a key may begin with a full bucket again.
///
/// The limiter identifies a key by its hash and does not retain the key. Keys with equal hashes share a bucket. **A
/// rate limiter may be used from any thread.**
public final class PromiseKeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let core: RateCore

  /// Creates a rate limiter with a full bucket for each key.
  ///
  /// - Parameters:
  ///   - count: The number of tokens that each bucket gets in each `duration`. A value below 1 counts as 1.
  ///   - duration: The time in which a bucket gets `count` tokens. Zero or less counts as a nanosecond.
  ///   - burst: The number of tokens in a full bucket. `nil`, the default, means `count`. A value below 1 counts as 1.
  ///   - maxWait: The longest time for which a call waits for its token. Zero by default, so that a call without a
  ///     token is refused. A negative duration counts as zero.
  ///   - maxKeys: The largest number of buckets; 10,000 by default. A value below 1 counts as 1.
  ///   - clock: The clock that measures the rate. The continuous clock by default.
  public init(
    _ count: Int, per duration: Duration, burst: Int? = nil, maxWait: Duration = .zero, maxKeys: Int = 10_000,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    core = RateCore(
      .usable(count, per: duration, burst: burst, maxWait: maxWait, of: "PromiseKeyedRateLimiter"), clock: clock,
      capacity: Diagnostics.replace(maxKeys, by: max(maxKeys, 1), "PromiseKeyedRateLimiter.maxKeys"))
  }

  /// Starts work whose result is a promise when the call has a token of its key.
  ///
  /// Otherwise, this method behaves like ``PromiseRateLimiter/run(on:fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - key: The key whose bucket gives the token.
  ///   - context: The context on which `work` runs.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: A closure that starts the work and returns a promise for its result.
  @inlinable
  public func run<Value: Sendable>(
    for key: Key, on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    core.begin(key.hashValue).run(on: context, at: CallSite(fileID, line), work)
  }

  /// Calls an async closure in the caller's own task when the call has a token of its key.
  ///
  /// Otherwise, this method behaves like ``PromiseRateLimiter/perform(isolation:fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - key: The key whose bucket gives the token.
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: The closure to call.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure. ``PromiseRefusalError/rateExceeded(retryAfter:)`` if the call is refused.
  ///   `CancellationError` if the task is cancelled before the call or during the wait.
  @inlinable
  public func perform<Value>(
    for key: Key, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let turn = try core.beginInTask(key.hashValue)
    let call = NotedCall(
      "PromiseKeyedRateLimiter.perform", at: CallSite(fileID, line),
      waitingFor: turn == nil ? "its closure" : "its token")
    defer { call?.end() }
    if let turn {
      try await turn.wait()
      call?.wait(for: "its closure")
    }
    return try await work()
  }

  var settings: TokenBucket.Settings { core.settings }

  /// Sets an observer of the calls that are admitted, wait and are refused, for a metrics library.
  package func observe(_ observer: @escaping FlowObserver) { core.observe(observer) }

  /// The number of keys with a bucket.
  var keyCount: Int { core.keyCount }
}
