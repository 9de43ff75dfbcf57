// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import COvermorrow
internal import Overmorrow

// Implements the functions of `overmorrow/transforming.h` under the same names.

/// See `ovm_promise_map` in the C header.
@c @implementation
public func ovm_promise_map(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ transform: ovm_transform,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(transform, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).map(on: place, token: token) { (input) throws(ForeignObject) in
    try unsafe callback.transform(input)
  }.retainedHandle()
}

/// See `ovm_promise_recover` in the C header.
@c @implementation
public func ovm_promise_recover(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ transform: ovm_transform,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(transform, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).recover(on: place, token: token) { (input) throws(ForeignObject) in
    try unsafe callback.transform(input)
  }.retainedHandle()
}

/// See `ovm_promise_flat_map` in the C header.
@c @implementation
public func ovm_promise_flat_map(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ adopter: ovm_adopter,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(adopter, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).flatMap(on: place, token: token) { unsafe callback.adopt(.value($0)) }
    .retainedHandle()
}

/// See `ovm_promise_flat_map_error` in the C header.
@c @implementation
public func ovm_promise_flat_map_error(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ adopter: ovm_adopter,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(adopter, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).flatMapError(on: place, token: token) {
    unsafe callback.adopt(.error($0))
  }.retainedHandle()
}

/// See `ovm_promise_flat_map_result` in the C header.
@c @implementation
public func ovm_promise_flat_map_result(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ token: OpaquePointer?, _ adopter: ovm_adopter,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(adopter, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let token = unsafe PromiseInvalidationToken(borrowed: token)
  return unsafe ForeignPromise(handle: promise).flatMapResult(on: place, token: token) { unsafe callback.adopt($0) }
    .retainedHandle()
}

/// See `ovm_promise_delay` in the C header.
@c @implementation
public func ovm_promise_delay(_ promise: OpaquePointer, _ place: OpaquePointer, _ seconds: Double) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe ForeignPromise(handle: promise).delay(
    on: PromiseContext(borrowed: place), Duration(timeInterval: seconds)
  ).retainedHandle()
}

/// See `ovm_promise_timeout` in the C header.
@c @implementation
public func ovm_promise_timeout(
  _ promise: OpaquePointer, _ place: OpaquePointer, _ seconds: Double, _ wrapper: ovm_timeout_wrapper,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(wrapper, context, release)
  let place = unsafe PromiseContext(borrowed: place)
  let limited = unsafe ForeignPromise(handle: promise).timeout(on: place, Duration(timeInterval: seconds))
  return unsafe limited.mapError(on: .immediate) { unsafe callback.wrap($0) }.retainedHandle()
}

extension Callback<ovm_timeout_wrapper> {
  /// Creates the error of a promise that has a timeout.
  fileprivate func wrap(_ error: PromiseTimeoutError<ForeignObject>) -> ForeignObject {
    // Unsafe: C3, C5; the object that the function returns is given away (C4).
    switch error {
    case .timedOut: unsafe ForeignObject(function(context, true, nil))
    case .rejected(let error):
      withExtendedLifetime(error) { unsafe ForeignObject(function(context, false, error.pointer)) }
    }
  }
}
