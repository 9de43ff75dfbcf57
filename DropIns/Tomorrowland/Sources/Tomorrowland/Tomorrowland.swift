@_exported public import Foundation
@_exported public import Overmorrow

/// A promise whose failure type is `any Error`.
public typealias StdPromise<Value: Sendable> = Promise<Value, any Error>

/// `LazyPromise` of Overmorrow under its name in Tomorrowland.
public typealias DelayedPromise<Value: Sendable, Failure: Sendable> = LazyPromise<Value, Failure>

/// A `DelayedPromise` whose failure type is `any Error`.
public typealias StdDelayedPromise<Value: Sendable> = LazyPromise<Value, any Error>

/// The failure type of a promise that never fails.
public typealias NoError = Never

extension Promise {
  /// The failure type under its name in Tomorrowland.
  public typealias Error = Failure
}

extension Promise.Resolver {
  /// The failure type under its name in Tomorrowland.
  public typealias Error = Failure
}

extension LazyPromise {
  /// The failure type under its name in Tomorrowland.
  public typealias Error = Failure
}

extension PromiseResult {
  /// The failure type under its name in Tomorrowland.
  public typealias Error = Failure
}
