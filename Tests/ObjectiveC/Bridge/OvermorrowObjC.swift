// Stands in for the Objective-C module where Swift cannot import it: the declarations that the bridge uses, as an
// importer of that module would see them.

internal import COvermorrow

/// A promise of Objective-C.
public final class ObjCPromise<ValueType: AnyObject, ErrorType: AnyObject>: @unchecked Sendable {
  /// The handle of the C interface.
  public let handle: OpaquePointer
  /// Retains a handle of the C interface.
  public init(handle: OpaquePointer) { self.handle = ovm_promise_retain(handle) }
  deinit { ovm_promise_release(handle) }
}

/// A token of Objective-C.
public class ObjCPromiseInvalidationToken {
  /// The handle of the C interface.
  public let handle: OpaquePointer
  /// Retains a handle of the C interface.
  public init(handle: OpaquePointer) { self.handle = ovm_token_retain(handle) }
  deinit { ovm_token_release(handle) }
}
