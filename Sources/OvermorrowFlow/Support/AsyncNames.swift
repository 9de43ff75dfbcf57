// Code that is all async has no failure type to write. With these names, it needs none, and no import of `Overmorrow`.

@_exported public import enum Overmorrow.PromiseTimeoutError

/// A cache whose loads may throw any error.
///
/// ```swift
/// let images = AsyncCache<String, Image>(capacity: 500, timeToLive: .seconds(600))
/// ```
public typealias AsyncCache<Key: Hashable & Sendable, Value: Sendable> = PromiseCache<Key, Value, any Error>

/// A policy for retries after any error.
///
/// `PromiseRetryPolicy(attempts: 3)` creates one. Use this name for properties and parameters.
public typealias AsyncRetryPolicy = PromiseRetryPolicy<any Error>

/// The error of a time limit that async code has not kept.
///
/// ```swift
/// do {
///   page = try await withTimeout(.seconds(20)) { try await service.page() }
/// } catch AsyncTimeoutError.timedOut {
///   page = "not available"
/// }
/// ```
public typealias AsyncTimeoutError = PromiseTimeoutError<any Error>
