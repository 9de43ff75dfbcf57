import Overmorrow

public import struct Foundation.TimeInterval

// Delays and timeouts in seconds. The declarations of Overmorrow take a `Duration`.

extension Promise {
  /// Creates a promise that is fulfilled after a number of seconds.
  public init(on context: PromiseContext = .auto, fulfilled value: Value, after delay: TimeInterval) {
    self.init(on: context, fulfilled: value, after: Duration(timeInterval: delay))
  }

  /// Creates a promise that is rejected after a number of seconds.
  public init(on context: PromiseContext = .auto, rejected error: Failure, after delay: TimeInterval) {
    self.init(on: context, rejected: error, after: Duration(timeInterval: delay))
  }

  /// Creates a promise that is resolved after a number of seconds.
  public init(
    on context: PromiseContext = .auto, with result: PromiseResult<Value, Failure>, after delay: TimeInterval
  ) {
    self.init(on: context, with: result, after: Duration(timeInterval: delay))
  }

  /// Returns a promise that has the same result after a further number of seconds.
  public func delay(on context: PromiseContext = .auto, _ delay: TimeInterval) -> Promise {
    self.delay(on: context, Duration(timeInterval: delay))
  }

  /// Returns a promise with the same result, or with a timeout error if there is no result after a number of seconds.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), delay: TimeInterval
  ) -> Promise<Value, PromiseTimeoutError<Failure>> {
    timeout(on: context, Duration(timeInterval: delay))
  }
}

extension Promise where Failure == any Swift.Error {
  /// Returns a promise with the same result, or with a timeout error if there is no result after a number of seconds.
  public func timeout(on context: PromiseContext = .nowOr(.auto), delay: TimeInterval) -> Promise {
    timeout(on: context, Duration(timeInterval: delay))
  }
}
