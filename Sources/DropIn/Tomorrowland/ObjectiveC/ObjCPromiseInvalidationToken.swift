#if canImport(OvermorrowObjC)
  internal import COvermorrow
  public import Overmorrow
  internal import OvermorrowC
  public import OvermorrowObjC

  extension ObjCPromiseInvalidationToken {
    /// The token for Objective-C: both are the same token.
    ///
    /// - Parameter token: A token of Swift.
    public convenience init(_ token: PromiseInvalidationToken) {
      // Unsafe: the handle is ours until it is released.
      let handle = unsafe token.retainedHandle()
      defer { unsafe ovm_token_release(handle) }
      unsafe self.init(handle: handle)
    }
  }

  extension PromiseInvalidationToken {
    /// The token for Swift: both are the same token.
    ///
    /// - Parameter token: A token of Objective-C.
    public init(_ token: ObjCPromiseInvalidationToken) {
      // Unsafe: the token keeps its handle during this call.
      self = withExtendedLifetime(token) { unsafe PromiseInvalidationToken(handle: token.handle) }
    }
  }
#endif
