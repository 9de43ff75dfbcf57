// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import COvermorrow
@_spi(Handles) internal import Overmorrow

// Implements the functions of `overmorrow/resolvers.h` under the same names.

extension ForeignPromise.Resolver {
  /// Creates the resolver that an argument refers to (C1).
  fileprivate init(handle: OpaquePointer) {
    // Unsafe: every `ovm_resolver *` is the address of a resolver of this type.
    unsafe self.init(address: PromiseAddress(UnsafeMutableRawPointer(handle)))
  }

  /// Returns a new handle (C2).
  func retainedHandle() -> OpaquePointer {
    // Unsafe: this only converts a reference into an address, and accesses no memory.
    unsafe OpaquePointer(retainedAddress().pointer)
  }
}

extension Callback<ovm_body> {
  /// Calls a body or a cancel handler.
  func produce(_ resolver: ForeignPromise.Resolver) {
    // Unsafe: C3; this method owns the handle, and the function borrows it (C1).
    let handle = unsafe resolver.retainedHandle()
    unsafe function(context, handle)
    unsafe ovm_resolver_release(handle)
  }
}

/// See `ovm_resolver_fulfill` in the C header.
@c @implementation
public func ovm_resolver_fulfill(_ resolver: OpaquePointer, _ value: ovm_object) {
  // Unsafe: C1, C4.
  unsafe ForeignPromise.Resolver(handle: resolver).fulfill(with: ForeignObject(value))
}

/// See `ovm_resolver_reject` in the C header.
@c @implementation
public func ovm_resolver_reject(_ resolver: OpaquePointer, _ error: ovm_object) {
  // Unsafe: C1, C4.
  unsafe ForeignPromise.Resolver(handle: resolver).reject(with: ForeignObject(error))
}

/// See `ovm_resolver_cancel` in the C header.
@c @implementation
public func ovm_resolver_cancel(_ resolver: OpaquePointer) {
  // Unsafe: C1.
  unsafe ForeignPromise.Resolver(handle: resolver).cancel()
}

/// See `ovm_resolver_resolve_with` in the C header.
@c @implementation
public func ovm_resolver_resolve_with(_ resolver: OpaquePointer, _ promise: OpaquePointer) {
  // Unsafe: C1.
  unsafe ForeignPromise.Resolver(handle: resolver).resolve(with: ForeignPromise(handle: promise))
}

/// See `ovm_resolver_on_cancel_request` in the C header.
@c @implementation
public func ovm_resolver_on_cancel_request(
  _ resolver: OpaquePointer, _ place: OpaquePointer, _ handler: ovm_body, _ context: UnsafeMutableRawPointer?,
  _ release: ovm_release?
) {
  // Unsafe: C1, C3.
  let callback = unsafe Callback(handler, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  unsafe ForeignPromise.Resolver(handle: resolver).onRequestCancel(on: place) { unsafe callback.produce($0) }
}

/// See `ovm_resolver_on_cancel_request_while_held` in the C header.
@c @implementation
public func ovm_resolver_on_cancel_request_while_held(
  _ resolver: OpaquePointer, _ place: OpaquePointer, _ handler: ovm_body, _ context: UnsafeMutableRawPointer?,
  _ release: ovm_release?
) {
  // Unsafe: C1, C3.
  let callback = unsafe Callback(handler, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let resolver = unsafe ForeignPromise.Resolver(handle: resolver)
  PromiseAdapter.onRequestCancelWhileHeld(resolver, on: place) { unsafe callback.produce($0) }
}

/// See `ovm_resolver_is_cancel_requested` in the C header.
@c @implementation
public func ovm_resolver_is_cancel_requested(_ resolver: OpaquePointer) -> Bool {
  // Unsafe: C1.
  unsafe ForeignPromise.Resolver(handle: resolver).hasRequestedCancel
}

/// See `ovm_resolver_retain` in the C header.
@c @implementation
public func ovm_resolver_retain(_ resolver: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe retain(resolver)
}

/// See `ovm_resolver_release` in the C header.
@c @implementation
public func ovm_resolver_release(_ resolver: OpaquePointer) {
  // Unsafe: C2.
  unsafe release(resolver)
}
