// Functions that register callbacks for the result of a promise.
//
// Each function except `ovm_promise_tap` returns a new promise with the same result, which is resolved after the
// callback has returned. Cancelling that promise therefore does not affect other observers. The observers of a promise
// run, or are submitted to their contexts, in the order of registration. Invalidating `token` suppresses the callback.
#ifndef OVERMORROW_OBSERVING_H
#define OVERMORROW_OBSERVING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Calls the observer with the value. Runs on: `where`.
ovm_promise *ovm_promise_then(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer with the error. Runs on: `where`.
ovm_promise *ovm_promise_catch(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer with the result, whatever the outcome. Runs on: `where`.
ovm_promise *ovm_promise_always(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer when the promise is cancelled. It does not prevent other observers from cancelling the promise.
/// Runs on: `where`.
ovm_promise *ovm_promise_on_cancel(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls the observer with the result, whatever the outcome, without a vote in cancellation. Runs on: `where`.
void ovm_promise_tap(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a promise with the same result and without a vote on the cancellation of this one.
ovm_promise *ovm_promise_tapped(ovm_promise *promise);

/// Returns a promise with the same result and its own vote on the cancellation of this one.
ovm_promise *ovm_promise_make_child(ovm_promise *promise);

/// Returns a promise with the same result that never passes on a request to cancel, and keeps its vote for ever.
ovm_promise *ovm_promise_ignoring_cancel(ovm_promise *promise);

/// Returns a promise with the same result that passes the requests of its children on even while it has a reference.
///
/// Runs on: `where`, directly before the request is passed on.
///
/// - handler: Called with the new promise, borrowed, when all its children have asked to cancel.
ovm_promise *ovm_promise_propagating_cancellation(
    ovm_promise *promise, ovm_context *where, void (*handler)(void *OVM_NULLABLE context, ovm_promise *promise),
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

OVM_NONNULL_END
OVM_END

#endif
