// Functions that register a callback for the result of a promise and return a promise for what the callback computes.
//
// If the first promise is cancelled, the promise returned is cancelled, too. Only the callback of
// `ovm_promise_flat_map_result` can turn a cancellation into another result. If an invalidation of `token` suppresses
// the callback, the promise returned is cancelled.
#ifndef OVERMORROW_TRANSFORMING_H
#define OVERMORROW_TRANSFORMING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Computes an object from an object.
///
/// - input: The value or the error, borrowed (C5).
/// - output: The address that receives the result, given away (C4). Both fields of `output` are NULL at first.
/// - returns: `true` if `output` is a value, `false` if it is an error.
typedef bool (*ovm_transform)(void *OVM_NULLABLE context, void *OVM_NULLABLE input, ovm_object *output);

/// Computes a promise from a result.
///
/// - object: The value or the error, borrowed (C5); NULL if the promise was cancelled.
/// - returns: The promise to adopt, given away. NULL counts as a cancelled promise.
typedef ovm_promise *OVM_NULLABLE (*ovm_adopter)(
    void *OVM_NULLABLE context, ovm_outcome outcome, void *OVM_NULLABLE object);

/// Returns a promise for the value or the error that the callback computes from the value. An error of the promise
/// passes through.
/// Runs on: `where`.
ovm_promise *ovm_promise_map(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_transform transform,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a promise for the value or the error that the callback computes from the error. A value of the promise
/// passes through.
/// Runs on: `where`.
ovm_promise *ovm_promise_recover(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_transform transform,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback returns for the value. An error of the promise passes through. The callback
/// may itself call this function and return the new promise. The stack and the memory of such a recursion do not grow
/// with the number of rounds.
/// Runs on: `where`.
ovm_promise *ovm_promise_flat_map(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback returns for the error. A value of the promise passes through.
/// Runs on: `where`.
ovm_promise *ovm_promise_flat_map_error(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Adopts the promise that the callback returns for the result, whatever the outcome.
/// Runs on: `where`.
ovm_promise *ovm_promise_flat_map_result(
    ovm_promise *promise, ovm_context *where, ovm_token *OVM_NULLABLE token, ovm_adopter adopter,
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a promise that is resolved with the same result after a delay. A cancellation that follows a request is not
/// delayed.
///
/// Runs on: `where`, which resolves the promise returned. `OVM_IMMEDIATE` counts as `OVM_AUTO`. An executor
/// that has a `reserve` function receives the work of the delay inside this call.
///
/// - seconds: The delay in seconds. Zero or less means as soon as possible.
ovm_promise *ovm_promise_delay(ovm_promise *promise, ovm_context *where, double seconds);

/// Creates the error of a promise that has a timeout.
///
/// - is_timed_out: Whether the time limit has passed.
/// - error: The error that the promise was rejected with, borrowed (C5); NULL if the time limit has passed.
/// - returns: The error, given away (C4).
typedef ovm_object (*ovm_timeout_wrapper)(void *OVM_NULLABLE context, bool is_timed_out, void *OVM_NULLABLE error);

/// Returns a promise with the same result, or with a timeout error if there is no result within a time limit. When the
/// time limit passes, the timeout withdraws its vote on `promise`.
///
/// Fails: with the error that `wrapper` creates from the error of `promise` or for the timeout.
/// Runs on: `where`, which runs `wrapper` and then resolves the promise returned.
///
/// - seconds: The time limit in seconds.
ovm_promise *ovm_promise_timeout(
    ovm_promise *promise, ovm_context *where, double seconds, ovm_timeout_wrapper wrapper, void *OVM_NULLABLE context,
    ovm_release OVM_NULLABLE release);

OVM_NONNULL_END
OVM_END

#endif
