// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import COvermorrow
@_spi(Handles) internal import Overmorrow

// Implements the functions of `overmorrow/promises.h` under the same names.

/// See `ovm_promise_create` in the C header.
@c @implementation
public func ovm_promise_create(_ resolver: UnsafeMutablePointer<OpaquePointer?>) -> OpaquePointer {
  let (promise, made) = ForeignPromise.makeWithResolver()
  // Unsafe: the caller provides memory for a handle, and owns the handle that is stored there (C2).
  unsafe resolver.pointee = made.retainedHandle()
  return unsafe promise.retainedHandle()
}

/// See `ovm_promise_create_on` in the C header.
@c @implementation
public func ovm_promise_create_on(
  _ place: OpaquePointer, _ body: ovm_body, _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(body, context, release)
  return unsafe ForeignPromise(on: PromiseContext(borrowed: place)) { unsafe callback.produce($0) }.retainedHandle()
}

/// See `ovm_promise_create_resolved` in the C header.
@c @implementation
public func ovm_promise_create_resolved(_ outcome: ovm_outcome, _ object: ovm_object) -> OpaquePointer {
  // Unsafe: C2, C4.
  unsafe ForeignPromise(with: PromiseResult(outcome, ForeignObject(object))).retainedHandle()
}

/// See `ovm_promise_create_after` in the C header.
@c @implementation
public func ovm_promise_create_after(
  _ place: OpaquePointer, _ outcome: ovm_outcome, _ object: ovm_object, _ seconds: Double
) -> OpaquePointer {
  // Unsafe: C1, C2, C4.
  unsafe ForeignPromise(
    on: PromiseContext(borrowed: place), with: PromiseResult(outcome, ForeignObject(object)),
    after: Duration(timeInterval: seconds)
  ).retainedHandle()
}

/// See `ovm_promise_retain` in the C header.
@c @implementation
public func ovm_promise_retain(_ promise: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe retain(promise)
}

/// See `ovm_promise_release` in the C header.
@c @implementation
public func ovm_promise_release(_ promise: OpaquePointer) {
  // Unsafe: C2.
  unsafe release(promise)
}

/// See `ovm_promise_result` in the C header.
@c @implementation
public func ovm_promise_result(
  _ promise: OpaquePointer, _ object: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> ovm_outcome {
  // Unsafe: C1; the promise, to which the caller owns a reference, keeps the object alive (C5).
  let result = unsafe ForeignPromise(handle: promise).result
  unsafe object?.pointee = unsafe result?.pointer
  return result?.outcome ?? OVM_PENDING
}

/// See `ovm_promise_wait` in the C header.
@c @implementation
public func ovm_promise_wait(_ promise: OpaquePointer, _ seconds: Double) -> ovm_wait_end {
  // Unsafe: C1.
  let promise = unsafe ForeignPromise(handle: promise)
  guard seconds == .infinity else {
    return promise.waitForResult(timeout: Duration(timeInterval: seconds)) == nil ? OVM_TIMED_OUT : OVM_RESOLVED
  }
  return (try? promise.waitForResult()) == nil ? OVM_DEADLOCK : OVM_RESOLVED
}

/// See `ovm_promise_request_cancel` in the C header.
@c @implementation
public func ovm_promise_request_cancel(_ promise: OpaquePointer) {
  // Unsafe: C1.
  unsafe ForeignPromise(handle: promise).requestCancel()
}

/// See `ovm_promise_forward_requests_while_held` in the C header.
@c @implementation
public func ovm_promise_forward_requests_while_held(_ promise: OpaquePointer) {
  // Unsafe: C1.
  unsafe ForeignPromise(handle: promise).forwardRequestsWhileHeld()
}

// MARK: - Cancellers

/// See `ovm_promise_canceller` in the C header.
@c @implementation
public func ovm_promise_canceller(_ promise: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe Box(ForeignPromise(handle: promise).cancellable).retained()
}

/// See `ovm_canceller_request_cancel` in the C header.
@c @implementation
public func ovm_canceller_request_cancel(_ canceller: OpaquePointer) {
  // Unsafe: C1.
  unsafe Box<PromiseCancellable>.borrowed(canceller).content.requestCancel()
}

/// See `ovm_canceller_retain` in the C header.
@c @implementation
public func ovm_canceller_retain(_ canceller: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe retain(canceller)
}

/// See `ovm_canceller_release` in the C header.
@c @implementation
public func ovm_canceller_release(_ canceller: OpaquePointer) {
  // Unsafe: C2.
  unsafe release(canceller)
}

// MARK: - Lazy promises

private typealias Delayed = LazyPromise<ForeignObject, ForeignObject>

/// See `ovm_delayed_create` in the C header.
@c @implementation
public func ovm_delayed_create(
  _ place: OpaquePointer, _ body: ovm_body, _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(body, context, release)
  return unsafe Box(Delayed(on: PromiseContext(borrowed: place)) { unsafe callback.produce($0) }).retained()
}

/// See `ovm_delayed_promise` in the C header.
@c @implementation
public func ovm_delayed_promise(_ delayed: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe Box<Delayed>.borrowed(delayed).content.promise.retainedHandle()
}

/// See `ovm_delayed_retain` in the C header.
@c @implementation
public func ovm_delayed_retain(_ delayed: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe retain(delayed)
}

/// See `ovm_delayed_release` in the C header.
@c @implementation
public func ovm_delayed_release(_ delayed: OpaquePointer) {
  // Unsafe: C2.
  unsafe release(delayed)
}
