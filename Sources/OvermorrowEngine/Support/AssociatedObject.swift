#if canImport(ObjectiveC)
  internal import ObjectiveC

  /// An object that is released together with another object. It is an associated object of the Objective-C runtime.
  package enum AssociatedObject {
    private static let lock = Guarded(())
    // Unsafe: only its address is used, as the key.
    nonisolated(unsafe) private static var key: UInt8 = 0

    /// Returns the associated object of an object. The first call creates the associated object. Every call must pass
    /// the same `Kind`.
    package static func of<Kind: AnyObject & Sendable>(_ object: AnyObject, make: () -> Kind) -> Kind {
      lock.withLock { _ in
        if let found = unsafe objc_getAssociatedObject(object, &key) as? Kind { return found }
        let made = make()
        // The association is nonatomic, because the lock suffices. The getter of an atomic association autoreleases, so
        // the associated object would outlive the object until a pool is drained.
        unsafe objc_setAssociatedObject(object, &key, made, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return made
      }
    }
  }
#endif
