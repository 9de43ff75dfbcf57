/// An object whose end cancels the promises that it owns.
///
/// Swift has no way to be told of the end of an arbitrary object, except with the Objective-C runtime. An object that
/// adopts this protocol offers one by a single stored property:
///
/// ```swift
/// final class FeedController: PromiseOwner {
///   let promiseLifetime = PromiseLifetime()
///
///   func load() {
///     fetchFeed().then { show($0) }.requestCancelOnDeinit(self)
///   }
/// }
/// ```
///
/// Where the Objective-C runtime is, `requestCancelOnDeinit(_:)` takes any object.
public protocol PromiseOwner: AnyObject {
  /// Ends with its owner. Make it a `let` with `PromiseLifetime()` as its value, and keep it to yourself.
  var promiseLifetime: PromiseLifetime { get }
}

/// The stored property of a ``PromiseOwner``.
public struct PromiseLifetime: Sendable {
  fileprivate let token = PromiseInvalidationToken(invalidateOnDeinit: true)

  /// The lifetime of the object that stores it.
  public init() {}
}

extension Promise {
  /// Asks this promise to cancel when an object goes away. The object is not kept alive.
  ///
  /// - Parameter owner: The object.
  /// - Returns: This promise.
  @discardableResult
  public func requestCancelOnDeinit(_ owner: some PromiseOwner) -> Promise {
    requestCancelOnInvalidate(owner.promiseLifetime.token)
  }
}
