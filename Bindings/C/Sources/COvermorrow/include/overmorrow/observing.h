// Functions that register callbacks for the result of a promise.
//
// Each function except `ovm_promise_tap` returns a new promise with the same result. If a callback runs, the new
// promise is resolved after the callback has returned. A request to cancel the new promise does not affect other
// observers. The observers of a promise run, or are submitted to their contexts, in the order of registration. An
// invalidation of `token` suppresses the callback.
#ifndef OVERMORROW_OBSERVING_H
#define OVERMORROW_OBSERVING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Calls the observer with the value.
/// Runs on: `where`.
ovm_promise *ovm_promise_then(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer with the error.
/// Runs on: `where`.
ovm_promise *ovm_promise_catch(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer with the result, whatever the outcome.
/// Runs on: `where`.
ovm_promise *ovm_promise_always(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer when the promise is cancelled. The new promise has no vote on the cancellation of `promise`, so
/// it does not stop a request to cancel that the other children of `promise` have made.
/// Runs on: `where`.
ovm_promise *ovm_promise_on_cancel(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer with the result, whatever the outcome. The observer has no vote on cancellation.
/// Runs on: `where`.
void ovm_promise_tap(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a promise with the same result. The new promise has no vote on the cancellation of `promise`.
ovm_promise *ovm_promise_tapped(ovm_promise *promise);

/// Returns a promise with the same result. The new promise has its own vote on the cancellation of `promise`.
ovm_promise *ovm_promise_make_child(ovm_promise *promise);

/// Returns a promise with the same result. The new promise never passes a request to cancel on to `promise`, and never
/// withdraws its vote on the cancellation of `promise`.
ovm_promise *ovm_promise_ignoring_cancel(ovm_promise *promise);

/// Returns a promise with the same result. When all children of the new promise have requested cancellation, the new
/// promise passes the request on to `promise`, even while the caller owns a reference to the new promise.
///
/// Runs on: `where`, directly before the request is passed on.
///
/// - handler: The function that is called with the new promise, borrowed, when all children of the new promise have
///   requested cancellation, or when the cancellation of the new promise itself is requested.
ovm_promise *ovm_promise_propagating_cancellation(
    ovm_promise *promise, ovm_context *where, void (*handler)(void *OVM_NULLABLE context, ovm_promise *promise),
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

OVM_NONNULL_END
OVM_END

#endif
