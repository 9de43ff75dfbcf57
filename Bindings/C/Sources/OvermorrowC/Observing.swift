// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import COvermorrow
internal import Overmorrow

// Implements the functions of `overmorrow/observing.h` under the same names.

/// See `ovm_promise_then` in the C header.
@c @implementation
public func ovm_promise_then(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ observer: ovm_observer,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(observer, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).then(on: place, token: token) { unsafe callback.observe(.value($0)) }
    .retainedHandle()
}

/// See `ovm_promise_catch` in the C header.
@c @implementation
public func ovm_promise_catch(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ observer: ovm_observer,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(observer, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).catch(on: place, token: token) { unsafe callback.observe(.error($0)) }
    .retainedHandle()
}

/// See `ovm_promise_always` in the C header.
@c @implementation
public func ovm_promise_always(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ observer: ovm_observer,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(observer, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).always(on: place, token: token) { unsafe callback.observe($0) }
    .retainedHandle()
}

/// See `ovm_promise_on_cancel` in the C header.
@c @implementation
public func ovm_promise_on_cancel(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ observer: ovm_observer,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(observer, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).onCancel(on: place, token: token) {
    unsafe callback.observe(.cancelled)
  }.retainedHandle()
}

/// See `ovm_promise_tap` in the C header.
@c @implementation
public func ovm_promise_tap(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ observer: ovm_observer,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(observer, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  unsafe ForeignPromise(handle: promise).tap(on: place, token: token) { unsafe callback.observe($0) }
}

/// See `ovm_promise_tapped` in the C header.
@c @implementation
public func ovm_promise_tapped(_ promise: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe ForeignPromise(handle: promise).tap().retainedHandle()
}

/// See `ovm_promise_make_child` in the C header.
@c @implementation
public func ovm_promise_make_child(_ promise: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe ForeignPromise(handle: promise).makeChild().retainedHandle()
}

/// See `ovm_promise_ignoring_cancel` in the C header.
@c @implementation
public func ovm_promise_ignoring_cancel(_ promise: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe ForeignPromise(handle: promise).ignoringCancel().retainedHandle()
}

/// See `ovm_promise_propagating_cancellation` in the C header.
@c @implementation
public func ovm_promise_propagating_cancellation(
  _ promise: OpaquePointer, _ place: OpaquePointer,
  _ handler: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer) -> Void, _ context: UnsafeMutableRawPointer?,
  _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3; the closure owns the handle that the C function borrows.
  let callback = unsafe Callback(handler, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  return unsafe ForeignPromise(handle: promise).propagatingCancellation(on: place) { promise in
    let handle = unsafe promise.retainedHandle()
    unsafe callback.function(callback.context, handle)
    unsafe ovm_promise_release(handle)
  }.retainedHandle()
}
