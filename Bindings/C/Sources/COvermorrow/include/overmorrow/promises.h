// Functions that create promises, read their results, wait for them and cancel them.
#ifndef OVERMORROW_PROMISES_H
#define OVERMORROW_PROMISES_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// The work of a promise.
///
/// - context: The context that was registered with the body.
/// - resolver: The resolver, borrowed. Retain the resolver to resolve the promise later.
typedef void (*ovm_body)(void *OVM_NULLABLE context, ovm_resolver *resolver);

/// Returns an unresolved promise and its resolver.
///
/// Cancels: when the last reference to the resolver is released before the promise is resolved or adopts another
/// promise.
///
/// - resolver: The address that receives the resolver. The resolver belongs to the caller.
ovm_promise *ovm_promise_create(ovm_resolver *OVM_NULLABLE *OVM_NONNULL resolver);

/// Returns a promise that `body` resolves.
///
/// Cancels: when the last reference to the resolver is released before the promise is resolved or adopts another
/// promise, or when an executor drops the body without running it.
/// Runs on: `where`. On an immediate or `now or` context, the body runs before this function returns.
ovm_promise *ovm_promise_create_on(
    ovm_context *where, ovm_body body, void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a resolved promise.
///
/// - outcome: The outcome. `OVM_PENDING` counts as `OVM_CANCELLED`.
/// - object: The value or the error (C4). For a cancelled promise, the object is released at once.
ovm_promise *ovm_promise_create_resolved(ovm_outcome outcome, ovm_object object);

/// Returns a promise that is resolved after a delay. A request to cancel cancels the promise at once.
///
/// Runs on: `where`, which resolves the promise. `OVM_IMMEDIATE` counts as `OVM_AUTO`.
///
/// - outcome, object: As for `ovm_promise_create_resolved`.
/// - seconds: The delay in seconds. Zero or less means as soon as possible.
ovm_promise *ovm_promise_create_after(ovm_context *where, ovm_outcome outcome, ovm_object object, double seconds);

/// Adds a reference to a promise and returns the promise.
ovm_promise *ovm_promise_retain(ovm_promise *promise);

/// Removes a reference to a promise.
///
/// If promises were derived from this promise and all of them have requested cancellation, removing the last reference
/// requests the cancellation of this promise. Otherwise, removing the last reference requests nothing.
void ovm_promise_release(ovm_promise *promise);

/// Returns the state of a promise. The function is wait-free.
///
/// - object: The address that receives the value or the error, borrowed (C5). If the promise is unresolved or
///   cancelled, the address receives NULL. The address itself may be NULL.
ovm_outcome ovm_promise_result(ovm_promise *promise, void *OVM_NULLABLE *OVM_NULLABLE object);

/// The reason why a blocking wait has ended.
typedef enum {
  /// The promise is resolved.
  OVM_RESOLVED,
  /// The time limit has passed.
  OVM_TIMED_OUT,
  /// A wait without a limit would never end, because it blocks the main queue, or a serial queue in a callback, and a
  /// callback of the promise has to run there.
  OVM_DEADLOCK
} ovm_wait_end;

/// Blocks the calling thread until a promise is resolved.
///
/// - seconds: The longest time to wait, in seconds. INFINITY means no limit. With zero or less, the call neither
///   blocks nor has a vote on the cancellation of the promise. With more than zero, the call has one vote, and
///   withdraws the vote when the time has passed.
ovm_wait_end ovm_promise_wait(ovm_promise *promise, double seconds);

/// Requests the cancellation of a promise. If the promise is resolved, the request has no effect.
void ovm_promise_request_cancel(ovm_promise *promise);

/// Makes a promise receive a request to cancel as soon as all its children have requested cancellation, even while there
/// are references to the promise.
///
/// - promise: A promise of `ovm_promise_create` that no other code has received yet.
void ovm_promise_forward_requests_while_held(ovm_promise *promise);

/// Returns a weak reference to a promise, for requests to cancel. The weak reference retains neither the promise nor
/// the result nor the callbacks of the promise.
ovm_canceller *ovm_promise_canceller(ovm_promise *promise);
/// Requests the cancellation of the promise of a canceller. If the promise is resolved or has been freed, the request
/// has no effect.
void ovm_canceller_request_cancel(ovm_canceller *canceller);
/// Adds a reference to a canceller and returns the canceller.
ovm_canceller *ovm_canceller_retain(ovm_canceller *canceller);
/// Removes a reference to a canceller.
void ovm_canceller_release(ovm_canceller *canceller);

/// Returns a delayed promise, whose body runs when `ovm_delayed_promise` is first called.
///
/// Runs on: `where`. If `where` is a `now or` context, the body runs on the context that was passed to
/// `ovm_context_create_now_or`.
ovm_delayed *ovm_delayed_create(
    ovm_context *where, ovm_body body, void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);
/// Returns the promise of a delayed promise. Each call returns the same promise. The first call starts the work.
ovm_promise *ovm_delayed_promise(ovm_delayed *delayed);
/// Adds a reference to a delayed promise and returns the delayed promise.
ovm_delayed *ovm_delayed_retain(ovm_delayed *delayed);
/// Removes a reference to a delayed promise.
void ovm_delayed_release(ovm_delayed *delayed);

OVM_NONNULL_END
OVM_END

#endif
