#if canImport(ObjectiveC)
  internal import ObjectiveC

  /// A token that goes away with an arbitrary object: an associated object of the Objective-C runtime.
  final class ObjectLifetime {
    private let token = PromiseInvalidationToken(invalidateOnDeinit: true)

    private static let lock = Guarded(())
    // Unsafe: only its address is used, as the key.
    nonisolated(unsafe) private static var key: UInt8 = 0

    /// The object's token; the first call makes it.
    static func token(of object: AnyObject) -> PromiseInvalidationToken {
      lock.withLock { _ in
        if let found = unsafe objc_getAssociatedObject(object, &key) as? ObjectLifetime { return found.token }
        let made = ObjectLifetime()
        // Nonatomic, as the lock is enough: the getter of an atomic association autoreleases, so that the token would outlive
        // the object until a pool is drained.
        unsafe objc_setAssociatedObject(object, &key, made, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return made.token
      }
    }
  }
#endif
