#if canImport(ObjectiveC)
  internal import OvermorrowEngine

  /// A token that is released together with an object.
  private final class ObjectLifetime: Sendable {
    let token = PromiseInvalidationToken(invalidateOnDeinit: true)
  }

  extension Promise {
    /// Asks this promise to cancel when an object is deallocated. The promise does not retain the object.
    ///
    /// - Parameter object: Any object.
    /// - Returns: This promise.
    @discardableResult
    public func requestCancelOnDeinit(_ object: AnyObject) -> Promise {
      requestCancelOnInvalidate(AssociatedObject.of(object) { ObjectLifetime() }.token)
    }
  }
#else
  extension Promise {
    /// ``Promise`` has this method only on platforms with an Objective-C runtime.
    @available(
      *, unavailable,
      message: "store a 'PromiseInvalidationToken()' in the object, and use 'requestCancelOnInvalidate(_:)'"
    )
    @discardableResult
    public func requestCancelOnDeinit(_ object: AnyObject) -> Promise { self }
  }
#endif
