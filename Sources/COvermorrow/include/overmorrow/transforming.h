// Functions that register a callback for the result of a promise and return a promise for what the callback computes.
//
// The promise returned is cancelled when the first promise is, and when `token` is invalidated before the callback has
// started.
#ifndef OVERMORROW_TRANSFORMING_H
#define OVERMORROW_TRANSFORMING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Computes an object from an object.
///
/// - input: The value or the error, borrowed (C5).
/// - output: Receives the result, which is given away (C4). Both its fields are NULL at first.
/// - returns: `true` if `output` is a value, `false` if it is an error.
typedef bool (*ovm_transform)(void *OVM_NULLABLE context, void *OVM_NULLABLE input, ovm_object *output);

/// Computes a promise from a result.
///
/// - object: The value or the error, borrowed (C5); NULL if the promise was cancelled.
/// - returns: The promise to adopt, given away. NULL counts as a cancelled promise.
typedef ovm_promise *OVM_NULLABLE (*ovm_adopter)(
    void *OVM_NULLABLE context, ovm_outcome outcome, void *OVM_NULLABLE object);

/// Fulfils or fails: with the object that the callback computes from the value. An error of the promise passes through.
/// Runs on: `where`.
ovm_promise *ovm_promise_map(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_transform transform,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Fulfils or fails: with the object that the callback computes from the error. A value of the promise passes through.
/// Runs on: `where`.
ovm_promise *ovm_promise_recover(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_transform transform,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback returns for the value. An error of the promise passes through. A recursion uses
/// no more stack or memory with each round.
/// Runs on: `where`.
ovm_promise *ovm_promise_flat_map(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback returns for the error. A value of the promise passes through.
/// Runs on: `where`.
ovm_promise *ovm_promise_flat_map_error(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback returns for the result, whatever the outcome. Runs on: `where`.
ovm_promise *ovm_promise_flat_map_result(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a promise with the same result after a delay. A cancellation that follows a request is not delayed.
///
/// Runs on: `where`, which resolves the promise returned. `OVM_IMMEDIATE` means `OVM_AUTO`. An executor with `reserve`
/// receives the work in this call.
///
/// - seconds: The delay in seconds. Zero or less means as soon as possible.
ovm_promise *ovm_promise_delay(ovm_promise *promise, ovm_context *where, double seconds);

/// Makes the error of a promise that has a timeout.
///
/// - is_timed_out: Whether the time limit has passed.
/// - error: The error that the promise was rejected with, borrowed (C5); NULL if the time limit has passed.
/// - returns: The error, given away (C4).
typedef ovm_object (*ovm_timeout_wrapper)(void *OVM_NULLABLE context, bool is_timed_out, void *OVM_NULLABLE error);

/// Returns a promise with the same result, unless the time limit passes first. The timeout then withdraws its vote on
/// the promise.
///
/// Fails: with the error that `wrapper` makes of the promise's error, or of the timeout.
/// Runs on: `where`, which runs `wrapper` and then resolves the promise returned.
///
/// - seconds: The time limit in seconds.
ovm_promise *ovm_promise_timeout(
    ovm_promise *promise, ovm_context *where, double seconds, ovm_timeout_wrapper wrapper, void *OVM_NULLABLE context,
    ovm_release OVM_NULLABLE release);

OVM_NONNULL_END
OVM_END

#endif
