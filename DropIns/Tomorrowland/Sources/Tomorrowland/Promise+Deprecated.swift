import Overmorrow

public import struct Foundation.TimeInterval

extension Promise {
  /// Creates a resolved promise.
  @available(*, deprecated, renamed: "init(with:)")
  public init(result: PromiseResult<Value, Failure>) { self.init(with: result) }

  /// Creates a promise that is resolved after a number of seconds.
  @available(*, deprecated, renamed: "init(on:with:after:)")
  public init(on context: PromiseContext = .auto, result: PromiseResult<Value, Failure>, after delay: TimeInterval) {
    self.init(on: context, with: result, after: delay)
  }

  /// Requests the cancellation of this promise. Examples of Tomorrowland use this name.
  @available(*, deprecated, renamed: "requestCancel()")
  public func cancel() { requestCancel() }
}
