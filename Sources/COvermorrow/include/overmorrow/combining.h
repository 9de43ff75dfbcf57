// One promise of several.
#ifndef OVERMORROW_COMBINING_H
#define OVERMORROW_COMBINING_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Makes one object of several values.
///
/// - values: The values, borrowed, in the order of the inputs.
/// - returns: The object, given away (C4).
typedef ovm_object (*ovm_collector)(
    void *OVM_NULLABLE context, void *OVM_NULLABLE const *OVM_NULLABLE values, size_t count);

/// A promise for all the values.
///
/// Fulfils: with what `collector` makes of the values, as soon as all are there; at once for no input.
/// Fails, cancels: with the first input that is rejected or cancelled. A request to cancel is one vote on each input.
/// Runs on: `collector` runs in the call that resolves the last input, or in this one.
///
/// - promises: Borrowed; may be NULL if `count` is zero.
/// - cancel_on_failure: Whether all inputs are asked to cancel as soon as one is rejected or cancelled.
ovm_promise *ovm_when_fulfilled(
    ovm_promise *OVM_NULLABLE const *OVM_NULLABLE promises, size_t count, bool cancel_on_failure,
    ovm_collector collector, void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// A promise for the first result.
///
/// Fulfils, fails: as the first input that is fulfilled or rejected.
/// Cancels: when all inputs are cancelled, or there is none. A request to cancel is one vote on each input.
///
/// - promises: Borrowed; may be NULL if `count` is zero.
/// - cancel_remaining: Whether the others are asked to cancel as soon as there is a result.
ovm_promise *ovm_when_first(
    ovm_promise *OVM_NULLABLE const *OVM_NULLABLE promises, size_t count, bool cancel_remaining);

OVM_NONNULL_END
OVM_END

#endif
