import Overmorrow

public import struct Foundation.TimeInterval

extension Promise {
  /// A resolved promise.
  @available(*, deprecated, renamed: "init(with:)")
  public init(result: PromiseResult<Value, Failure>) { self.init(with: result) }

  /// A promise that is resolved after so many seconds.
  @available(*, deprecated, renamed: "init(on:with:after:)")
  public init(on context: PromiseContext = .auto, result: PromiseResult<Value, Failure>, after delay: TimeInterval) {
    self.init(on: context, with: result, after: delay)
  }

  /// Asks for this promise to be cancelled: examples of Tomorrowland call it so.
  @available(*, deprecated, renamed: "requestCancel()")
  public func cancel() { requestCancel() }
}
