// Promises for what a callback makes of a result.
//
// Each is cancelled when `token` is invalidated before its callback runs, and when the first promise is.
#ifndef OVERMORROW_TRANSFORMING_H
#define OVERMORROW_TRANSFORMING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Makes an object of an object.
///
/// - input: The value or the error, borrowed (C5).
/// - output: Receives what is made, which is given away (C4). It is empty at first.
/// - returns: Whether `output` is a value; if not, it is an error.
typedef bool (*ovm_transform)(void *OVM_NULLABLE context, void *OVM_NULLABLE input, ovm_object *output);

/// Makes a promise of a result.
///
/// - object: The value or the error, borrowed (C5); NULL if the promise was cancelled.
/// - returns: The promise to adopt, given away; NULL counts as a cancelled one.
typedef ovm_promise *OVM_NULLABLE (*ovm_adopter)(
    void *OVM_NULLABLE context, ovm_outcome outcome, void *OVM_NULLABLE object);

/// Fulfils or fails with what the callback makes of the value. Fails: with the error of the promise.
/// Runs on: `where`.
ovm_promise *ovm_promise_map(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_transform transform,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Fulfils or fails with what the callback makes of the error. Fulfils: with the value of the promise.
/// Runs on: `where`.
ovm_promise *ovm_promise_recover(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_transform transform,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback makes of the value. Fails: with the error of the promise.
/// Runs on: `where`. A recursion takes neither stack nor memory with each round.
ovm_promise *ovm_promise_flat_map(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback makes of the error. Fulfils: with the value of the promise.
/// Runs on: `where`.
ovm_promise *ovm_promise_flat_map_error(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback makes of the result, whichever it is. Runs on: `where`.
ovm_promise *ovm_promise_flat_map_result(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// The same result, later. A promise that is cancelled on request is not delayed.
///
/// Runs on: `where`, where the promise returned is resolved; `OVM_IMMEDIATE` means `OVM_AUTO`. An executor that takes
/// work before its time has it from this call on.
///
/// - seconds: How long to wait; zero or less means as soon as possible.
ovm_promise *ovm_promise_delay(ovm_promise *promise, ovm_context *where, double seconds);

/// Makes the error of a promise with a timeout.
///
/// - is_timed_out: Whether the time was up.
/// - error: The error that the promise was rejected with, borrowed (C5); NULL if the time was up.
/// - returns: The error, given away (C4).
typedef ovm_object (*ovm_timeout_wrapper)(void *OVM_NULLABLE context, bool is_timed_out, void *OVM_NULLABLE error);

/// The same result, unless that takes too long: then the promise is asked to cancel, as by one child.
///
/// Fails: with what `wrapper` makes of the error, or of the timeout.
/// Runs on: `where`, where the promise returned is resolved; `wrapper` runs right after that, in the same place.
///
/// - seconds: How long to wait.
ovm_promise *ovm_promise_timeout(
    ovm_promise *promise, ovm_context *where, double seconds, ovm_timeout_wrapper wrapper, void *OVM_NULLABLE context,
    ovm_release OVM_NULLABLE release);

OVM_NONNULL_END
OVM_END

#endif
