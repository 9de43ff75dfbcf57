// Making promises, looking at them, waiting for them and cancelling them.
#ifndef OVERMORROW_PROMISES_H
#define OVERMORROW_PROMISES_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// The work of a promise.
///
/// - context: What was registered with it.
/// - resolver: Borrowed; retain it to resolve the promise later.
typedef void (*ovm_body)(void *OVM_NULLABLE context, ovm_resolver *resolver);

/// An unresolved promise, and what resolves it.
///
/// Cancels: when the last reference to the resolver goes without having resolved the promise.
///
/// - resolver: Receives the resolver, which belongs to the caller.
ovm_promise *ovm_promise_create(ovm_resolver *OVM_NULLABLE *OVM_NONNULL resolver);

/// A promise that a callback produces.
///
/// Cancels: when the last reference to the resolver goes unused, and when an executor drops the body unrun.
/// Runs on: `where`. Immediate and `now or` contexts run the body before this function returns.
ovm_promise *ovm_promise_create_on(
    ovm_context *where, ovm_body body, void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// A promise that is resolved already.
///
/// - outcome: How it ends; `OVM_PENDING` counts as `OVM_CANCELLED`.
/// - object: The value or the error (C4). That of a cancelled promise is released at once.
ovm_promise *ovm_promise_create_resolved(ovm_outcome outcome, ovm_object object);

/// A promise that is resolved after a while, and cancelled at once when that is asked for.
///
/// Runs on: `where`, where it is resolved; `OVM_IMMEDIATE` means `OVM_AUTO`.
///
/// - outcome, object: As for `ovm_promise_create_resolved`.
/// - seconds: How long to wait; zero or less means as soon as possible.
ovm_promise *ovm_promise_create_after(ovm_context *where, ovm_outcome outcome, ovm_object object, double seconds);

/// One more reference to a promise, which is returned.
ovm_promise *ovm_promise_retain(ovm_promise *promise);

/// One reference less.
///
/// When the last one is gone and all the promises that were made of this one have asked to cancel, it is cancelled.
void ovm_promise_release(ovm_promise *promise);

/// How a promise stands. Wait-free.
///
/// - object: Receives the value or the error, borrowed (C5), or NULL; may be NULL.
ovm_outcome ovm_promise_result(ovm_promise *promise, void *OVM_NULLABLE *OVM_NULLABLE object);

/// How a blocking wait has ended.
typedef enum {
  /// The promise is resolved.
  OVM_RESOLVED,
  /// The time was up.
  OVM_TIMED_OUT,
  /// A wait without a limit could never have ended: the work has to run where the wait blocks.
  OVM_DEADLOCK
} ovm_wait_end;

/// Blocks the thread until a promise is resolved.
///
/// - seconds: How long to wait at most. Zero or less does not block; INFINITY is without a limit. When the time is up, the
///   wait withdraws its vote.
ovm_wait_end ovm_promise_wait(ovm_promise *promise, double seconds);

/// Asks a promise to cancel; does nothing if it is resolved.
void ovm_promise_request_cancel(ovm_promise *promise);

/// A way to ask a promise to cancel that keeps neither the promise, nor its result, nor its callbacks.
ovm_canceller *ovm_promise_canceller(ovm_promise *promise);
/// Asks its promise to cancel; does nothing if that is resolved or gone.
void ovm_canceller_request_cancel(ovm_canceller *canceller);
/// One more reference to a canceller, which is returned.
ovm_canceller *ovm_canceller_retain(ovm_canceller *canceller);
/// One reference less.
void ovm_canceller_release(ovm_canceller *canceller);

/// A promise whose body runs when `ovm_delayed_promise` is first called.
///
/// Runs on: `where`; a `now or` context means the one inside.
ovm_delayed *ovm_delayed_create(
    ovm_context *where, ovm_body body, void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);
/// The promise, always the same; the first call starts the work.
ovm_promise *ovm_delayed_promise(ovm_delayed *delayed);
/// One more reference to a delayed promise, which is returned.
ovm_delayed *ovm_delayed_retain(ovm_delayed *delayed);
/// One reference less.
void ovm_delayed_release(ovm_delayed *delayed);

OVM_NONNULL_END
OVM_END

#endif
