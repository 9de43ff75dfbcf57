public import Overmorrow

// `run` starts work whose result is a promise. For an async closure, the compiler names the right method.

extension PromiseGate {
  /// Does not exist for async code. Use `perform`.
  @available(*, unavailable, message: "use 'try await gate.perform { … }' for async code")
  public func run<Value: Sendable>(_ work: () async throws -> Value) -> Promise<Value, any Error> { fatalError() }
}

extension PromiseCircuitBreaker {
  /// Does not exist for async code. Use `perform`.
  @available(*, unavailable, message: "use 'try await breaker.perform { … }' for async code")
  public func run<Value: Sendable>(_ work: () async throws -> Value) -> Promise<Value, any Error> { fatalError() }
}

extension PromiseRateLimiter {
  /// Does not exist for async code. Use `perform`.
  @available(*, unavailable, message: "use 'try await limiter.perform { … }' for async code")
  public func run<Value: Sendable>(
    on context: PromiseContext, _ work: () async throws -> Value
  ) -> Promise<Value, any Error> { fatalError() }
}

extension PromiseKeyedRateLimiter {
  /// Does not exist for async code. Use `perform`.
  @available(*, unavailable, message: "use 'try await limiter.perform(for: key) { … }' for async code")
  public func run<Value: Sendable>(
    for key: Key, on context: PromiseContext, _ work: () async throws -> Value
  ) -> Promise<Value, any Error> { fatalError() }
}
