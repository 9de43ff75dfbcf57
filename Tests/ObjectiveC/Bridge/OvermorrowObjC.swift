// Replaces the Objective-C module where Swift cannot import it: declares what the bridge uses, as an importer of that
// module would see it.

internal import COvermorrow

/// An Objective-C promise.
public final class ObjCPromise<ValueType: AnyObject, ErrorType: AnyObject>: @unchecked Sendable {
  /// The handle in the C interface.
  public let handle: OpaquePointer
  /// Retains a handle of the C interface.
  public init(handle: OpaquePointer) { self.handle = ovm_promise_retain(handle) }
  deinit { ovm_promise_release(handle) }
}

/// An Objective-C token.
public class ObjCPromiseInvalidationToken {
  /// The handle in the C interface.
  public let handle: OpaquePointer
  /// Retains a handle of the C interface.
  public init(handle: OpaquePointer) { self.handle = ovm_token_retain(handle) }
  deinit { ovm_token_release(handle) }
}
