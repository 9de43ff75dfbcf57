#if canImport(ObjectiveC)
  extension Promise {
    /// Asks this promise to cancel when an object goes away. The object is not kept alive.
    ///
    /// - Parameter object: Any object.
    /// - Returns: This promise.
    @discardableResult
    @_disfavoredOverload
    public func requestCancelOnDeinit(_ object: AnyObject) -> Promise {
      requestCancelOnInvalidate(ObjectLifetime.token(of: object))
    }
  }
#endif
