// Functions that resolve promises.
#ifndef OVERMORROW_RESOLVERS_H
#define OVERMORROW_RESOLVERS_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Fulfils the promise. Only the first call that resolves a promise has an effect. The calls may be made on any thread.
///
/// - value: The value. The value is given away (C4), even if the promise is already resolved.
void ovm_resolver_fulfill(ovm_resolver *resolver, ovm_object value);
/// Rejects the promise; see `ovm_resolver_fulfill`.
void ovm_resolver_reject(ovm_resolver *resolver, ovm_object error);
/// Cancels the promise; see `ovm_resolver_fulfill`.
void ovm_resolver_cancel(ovm_resolver *resolver);

/// Makes the promise of a resolver adopt another promise. When the other promise is resolved, the promise of the
/// resolver is resolved with the same result.
///
/// A request to cancel the promise of the resolver withdraws one vote on the other promise. A promise that adopts itself
/// is cancelled. If adoptions form a longer cycle, its promises are cancelled in debug builds, and stay unresolved in
/// release builds.
void ovm_resolver_resolve_with(ovm_resolver *resolver, ovm_promise *promise);

/// Registers a handler that runs when the cancellation of the promise is requested.
///
/// Handlers run in the order of registration. A handler that is registered after cancellation was requested, or on a
/// cancelled promise, runs at once. A handler that is registered on a fulfilled or rejected promise does not run.
///
/// - handler: The function that is called with a resolver of the promise, borrowed. Usually the function stops the work
///   and cancels the promise.
void ovm_resolver_on_cancel_request(
    ovm_resolver *resolver, ovm_context *where, void (*handler)(void *OVM_NULLABLE context, ovm_resolver *resolver),
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Registers a handler like `ovm_resolver_on_cancel_request`, and keeps the promise unresolved for the handler even if
/// all references to the resolver are removed.
///
/// This lasts until the cancellation of the promise is requested, and the handlers have run, or until the last reference
/// to the promise is removed. If nothing has resolved the promise by then, the promise is cancelled.
void ovm_resolver_on_cancel_request_while_held(
    ovm_resolver *resolver, ovm_context *where, void (*handler)(void *OVM_NULLABLE context, ovm_resolver *resolver),
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Returns whether cancellation was requested or the promise is cancelled. If the promise is fulfilled or rejected,
/// returns `false`, even if cancellation was requested earlier.
bool ovm_resolver_is_cancel_requested(ovm_resolver *resolver);

/// Adds a reference to a resolver and returns the resolver.
ovm_resolver *ovm_resolver_retain(ovm_resolver *resolver);
/// Removes a reference to a resolver. If the last reference is removed before the promise is resolved or adopts another
/// promise, the promise is cancelled.
void ovm_resolver_release(ovm_resolver *resolver);

OVM_NONNULL_END
OVM_END

#endif
