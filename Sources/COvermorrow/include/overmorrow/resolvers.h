// Resolving promises.
#ifndef OVERMORROW_RESOLVERS_H
#define OVERMORROW_RESOLVERS_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Fulfils the promise. The first call that resolves wins, whatever its thread; later ones do nothing.
///
/// - value: Given away (C4), also when the call comes too late.
void ovm_resolver_fulfill(ovm_resolver *resolver, ovm_object value);
/// Rejects the promise; see `ovm_resolver_fulfill`.
void ovm_resolver_reject(ovm_resolver *resolver, ovm_object error);
/// Cancels the promise; see `ovm_resolver_fulfill`.
void ovm_resolver_cancel(ovm_resolver *resolver);

/// Resolves the promise to whatever another one resolves to.
///
/// A request to cancel the promise counts as one vote on the other one. Round a cycle, the promises are cancelled.
void ovm_resolver_resolve_with(ovm_resolver *resolver, ovm_promise *promise);

/// Registers what to do when cancelling the promise is requested.
///
/// Handlers run in the order in which they were registered, and not after the promise has resolved. If the request was
/// made before, the handler runs at once.
///
/// - handler: Receives a resolver of the promise, borrowed, usually to cancel it after having stopped the work.
void ovm_resolver_on_cancel_request(
    ovm_resolver *resolver, ovm_context *where, void (*handler)(void *OVM_NULLABLE context, ovm_resolver *resolver),
    void *OVM_NULLABLE context, ovm_release OVM_NULLABLE release);

/// Whether cancelling was requested, or the promise is cancelled; false once it is fulfilled or rejected.
bool ovm_resolver_is_cancel_requested(ovm_resolver *resolver);

/// One more reference to a resolver, which is returned.
ovm_resolver *ovm_resolver_retain(ovm_resolver *resolver);
/// One reference less. When the last one goes without having resolved the promise, that is cancelled.
void ovm_resolver_release(ovm_resolver *resolver);

OVM_NONNULL_END
OVM_END

#endif
