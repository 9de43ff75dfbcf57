#if canImport(ObjectiveC)
  /// A token that is released with an object.
  private final class ObjectLifetime: Sendable {
    let token = PromiseInvalidationToken(invalidateOnDeinit: true)
  }

  extension Promise {
    /// Asks this promise to cancel when an object is released. The object is not kept alive.
    ///
    /// - Parameter object: Any object.
    /// - Returns: This promise.
    @discardableResult
    public func requestCancelOnDeinit(_ object: AnyObject) -> Promise {
      requestCancelOnInvalidate(AssociatedObject.of(object) { ObjectLifetime() }.token)
    }
  }
#endif
