@_exported public import Foundation
@_exported public import Overmorrow

/// A promise that fails with any error.
public typealias StdPromise<Value: Sendable> = Promise<Value, any Error>

/// `LazyPromise` of Overmorrow, by the name that it has in Tomorrowland.
public typealias DelayedPromise<Value: Sendable, Failure: Sendable> = LazyPromise<Value, Failure>

/// A delayed promise that fails with any error.
public typealias StdDelayedPromise<Value: Sendable> = LazyPromise<Value, any Error>

/// The failure of a promise that never fails.
public typealias NoError = Never

extension Promise {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure
}

extension Promise.Resolver {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure
}

extension LazyPromise {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure
}

extension PromiseResult {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure
}
