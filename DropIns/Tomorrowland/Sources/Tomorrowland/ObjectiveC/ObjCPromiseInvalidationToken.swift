#if canImport(OvermorrowObjC)
  internal import COvermorrow
  public import Overmorrow
  internal import OvermorrowC
  public import OvermorrowObjC

  extension ObjCPromiseInvalidationToken {
    /// Creates an Objective-C object for a Swift token. Invalidating the object also invalidates the Swift token.
    /// Invalidating the Swift token also invalidates the object.
    ///
    /// - Parameter token: The Swift token.
    public convenience init(_ token: PromiseInvalidationToken) {
      // Unsafe: this initialiser owns the handle until its end.
      let handle = unsafe token.retainedHandle()
      defer { unsafe ovm_token_release(handle) }
      unsafe self.init(handle: handle)
    }
  }

  extension PromiseInvalidationToken {
    /// Creates a Swift value for an Objective-C token. Invalidating the value also invalidates the Objective-C token.
    /// Invalidating the Objective-C token also invalidates the value.
    ///
    /// - Parameter token: The Objective-C token.
    public init(_ token: ObjCPromiseInvalidationToken) {
      // Unsafe: the token retains its handle during this call.
      self = withExtendedLifetime(token) { unsafe PromiseInvalidationToken(handle: token.handle) }
    }
  }
#endif
