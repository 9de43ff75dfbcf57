// Tokens that suppress callbacks and cancel promises.
#ifndef OVERMORROW_TOKENS_H
#define OVERMORROW_TOKENS_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// A new token.
///
/// - invalidates_itself: Whether it is invalidated when its last reference goes. Nothing that is pending keeps one.
ovm_token *ovm_token_create(bool invalidates_itself);

/// Suppresses the callbacks registered with the token so far, and asks the promises registered for it to cancel.
///
/// A token can be used again afterwards: callbacks registered from now on are not concerned.
void ovm_token_invalidate(ovm_token *token);
/// Asks the promises registered for the token to cancel, without suppressing any callback.
void ovm_token_cancel_without_invalidating(ovm_token *token);

/// Asks a promise to cancel at the next invalidation. The token does not keep the promise.
void ovm_token_request_cancel_on_invalidate(ovm_token *token, ovm_promise *promise);

/// Invalidates a token whenever another one is invalidated, for ever. The other one does not keep it.
///
/// - parent: The token to follow.
/// - including_cancel: Whether to follow `ovm_token_cancel_without_invalidating`, too.
void ovm_token_chain(ovm_token *token, ovm_token *parent, bool including_cancel);

/// One more reference to a token, which is returned.
ovm_token *ovm_token_retain(ovm_token *token);
/// One reference less.
void ovm_token_release(ovm_token *token);

OVM_NONNULL_END
OVM_END

#endif
