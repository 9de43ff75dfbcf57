// Tokens that suppress callbacks and request the cancellation of promises.
#ifndef OVERMORROW_TOKENS_H
#define OVERMORROW_TOKENS_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// Returns a new token.
///
/// - invalidates_itself: Whether the token is invalidated when its last reference is removed. Callbacks and promises
///   that are registered with a token do not retain the token.
ovm_token *ovm_token_create(bool invalidates_itself);

/// Suppresses the callbacks that were registered with the token before this call, and requests the cancellation of the
/// promises that were registered with the token.
///
/// The token can be used again afterwards, because callbacks that are registered later are not affected.
void ovm_token_invalidate(ovm_token *token);
/// Requests the cancellation of the promises that were registered with the token. No callback is suppressed.
void ovm_token_cancel_without_invalidating(ovm_token *token);

/// Registers a promise with a token. The next `ovm_token_invalidate` or `ovm_token_cancel_without_invalidating`
/// requests the cancellation of the promise. The token does not retain the promise.
void ovm_token_request_cancel_on_invalidate(ovm_token *token, ovm_promise *promise);

/// Makes every invalidation of `parent` also invalidate `token`. The connection is permanent. `parent` does not retain
/// `token`.
///
/// - parent: The token whose invalidations `token` follows.
/// - including_cancel: Whether each `ovm_token_cancel_without_invalidating` of `parent` applies to `token`, too.
void ovm_token_chain(ovm_token *token, ovm_token *parent, bool including_cancel);

/// Adds a reference to a token and returns the token.
ovm_token *ovm_token_retain(ovm_token *token);
/// Removes a reference to a token.
void ovm_token_release(ovm_token *token);

OVM_NONNULL_END
OVM_END

#endif
