@_exported public import Foundation
@_exported public import Overmorrow

/// A promise that fails with any error.
public typealias StdPromise<Value: Sendable> = Promise<Value, any Error>

/// A delayed promise that fails with any error.
public typealias StdDelayedPromise<Value: Sendable> = DelayedPromise<Value, any Error>

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

extension DelayedPromise {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure
}

extension PromiseResult {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure
}
