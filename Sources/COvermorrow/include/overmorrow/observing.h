// Callbacks that look at the result of a promise.
//
// Each but `ovm_promise_tap` returns a new promise with the same result, which is resolved after the callback has
// finished; so cancelling it leaves other observers alone. Observers of one promise run, or are handed to their
// contexts, in the order in which they were registered. `token` suppresses the callback when it is invalidated.
#ifndef OVERMORROW_OBSERVING_H
#define OVERMORROW_OBSERVING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Calls back with the value. Runs on: `where`.
ovm_promise *ovm_promise_then(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls back with the error. Runs on: `where`.
ovm_promise *ovm_promise_catch(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls back with the result, whichever it is. Runs on: `where`.
ovm_promise *ovm_promise_always(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls back when the promise is cancelled. It keeps no other observer from cancelling it. Runs on: `where`.
ovm_promise *ovm_promise_on_cancel(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Calls back with the result, whichever it is, without taking part in cancellation. Runs on: `where`.
void ovm_promise_tap(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_observer observer,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// A promise with the same result that takes no part in the cancellation of this one.
ovm_promise *ovm_promise_tapped(ovm_promise *promise);

/// A promise with the same result, and a vote of its own on cancelling this one.
ovm_promise *ovm_promise_make_child(ovm_promise *promise);

/// A promise with the same result that never passes a request to cancel on, and keeps others from it.
ovm_promise *ovm_promise_ignoring_cancel(ovm_promise *promise);

/// A promise with the same result that may be held without keeping its children from cancelling.
///
/// Runs on: `where`, right before the request is passed on.
///
/// - handler: Receives the new promise, borrowed, when all its children have asked to cancel.
ovm_promise *ovm_promise_propagating_cancellation(
    ovm_promise *promise, ovm_context *where, void (*handler)(void *OVM_NULLABLE context, ovm_promise *promise),
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

OVM_NONNULL_END
OVM_END

#endif
