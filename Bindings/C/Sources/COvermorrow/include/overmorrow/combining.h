// Functions that combine several promises.
#ifndef OVERMORROW_COMBINING_H
#define OVERMORROW_COMBINING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Creates one object from several values.
///
/// - values: The values, borrowed, in the order of the inputs.
/// - returns: The object, given away (C4).
typedef ovm_object (*ovm_collector)(
    void *OVM_NULLABLE context, void *OVM_NULLABLE const *OVM_NULLABLE values, size_t count);

/// Returns a promise for all the values.
///
/// Fulfils: with the object that `collector` returns for the values, when all inputs are fulfilled. If there are no
/// inputs, `collector` runs at once.
/// Fails, cancels: as the first input that is rejected or cancelled. A request to cancel withdraws one vote on each
/// input.
/// Runs on: `collector` runs inside the call that resolves the last input, or inside this call if all inputs are
/// already resolved.
///
/// - promises: The inputs, borrowed; may be NULL if `count` is zero.
/// - cancel_on_failure: Whether the first rejection or cancellation requests the cancellation of the other inputs.
ovm_promise *ovm_when_fulfilled(
    ovm_promise *OVM_NULLABLE const *OVM_NULLABLE promises, size_t count, bool cancel_on_failure,
    ovm_collector collector, void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns a promise for the first value or error.
///
/// Fulfils, fails: as the first input that is fulfilled or rejected.
/// Cancels: when all inputs are cancelled. If there are no inputs, the promise is cancelled at once. A request to
/// cancel withdraws one vote on each input.
///
/// - promises: The inputs, borrowed; may be NULL if `count` is zero.
/// - cancel_remaining: Whether the first value or error requests the cancellation of the other inputs.
ovm_promise *ovm_when_first(
    ovm_promise *OVM_NULLABLE const *OVM_NULLABLE promises, size_t count, bool cancel_remaining);

OVM_NONNULL_END
OVM_END

#endif
