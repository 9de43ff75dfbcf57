// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import COvermorrow
internal import Overmorrow

// Implements the functions of `overmorrow/tokens.h` under the same names.

extension PromiseInvalidationToken {
  /// Creates a copy of the token that an argument refers to (C1); `nil` if the argument is NULL.
  init?(borrowed handle: OpaquePointer?) {
    // Unsafe: C1.
    guard let handle = unsafe handle else { return nil }
    unsafe self.init(handle: handle)
  }
}

/// See `ovm_token_create` in the C header.
@c @implementation
public func ovm_token_create(_ invalidatesItself: Bool) -> OpaquePointer {
  // Unsafe: C2.
  unsafe PromiseInvalidationToken(invalidateOnDeinit: invalidatesItself).retainedHandle()
}

/// See `ovm_token_invalidate` in the C header.
@c @implementation
public func ovm_token_invalidate(_ token: OpaquePointer) {
  // Unsafe: C1.
  unsafe PromiseInvalidationToken(handle: token).invalidate()
}

/// See `ovm_token_cancel_without_invalidating` in the C header.
@c @implementation
public func ovm_token_cancel_without_invalidating(_ token: OpaquePointer) {
  // Unsafe: C1.
  unsafe PromiseInvalidationToken(handle: token).cancelWithoutInvalidating()
}

/// See `ovm_token_request_cancel_on_invalidate` in the C header.
@c @implementation
public func ovm_token_request_cancel_on_invalidate(_ token: OpaquePointer, _ promise: OpaquePointer) {
  // Unsafe: C1.
  unsafe PromiseInvalidationToken(handle: token).requestCancelOnInvalidate(ForeignPromise(handle: promise))
}

/// See `ovm_token_chain` in the C header.
@c @implementation
public func ovm_token_chain(_ token: OpaquePointer, _ parent: OpaquePointer, _ includingCancel: Bool) {
  // Unsafe: C1.
  unsafe PromiseInvalidationToken(handle: token).chainInvalidation(
    from: PromiseInvalidationToken(handle: parent), includingCancelWithoutInvalidating: includingCancel)
}

/// See `ovm_token_retain` in the C header.
@c @implementation
public func ovm_token_retain(_ token: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe retain(token)
}

/// See `ovm_token_release` in the C header.
@c @implementation
public func ovm_token_release(_ token: OpaquePointer) {
  // Unsafe: C2.
  unsafe release(token)
}
