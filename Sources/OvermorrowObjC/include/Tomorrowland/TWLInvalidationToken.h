// Tokens that suppress handlers and cancel promises.

#import <Tomorrowland/TWLMacros.h>

@class TWLPromise<ValueType, ErrorType>;
struct ovm_token;

NS_ASSUME_NONNULL_BEGIN

/// Suppresses handlers, and cancels promises, when it is invalidated.
///
/// A token can be used for any number of handlers and promises, and again after it was invalidated. Nothing that is
/// pending keeps it alive.
NS_SWIFT_NAME(ObjCPromiseInvalidationToken)
@interface TWLInvalidationToken : NSObject {
@private
  struct ovm_token *_handle;
}

/// A token that invalidates itself when it is deallocated.
- (instancetype)init;
/// A token that invalidates itself when it is deallocated, or does not.
- (instancetype)initInvalidateOnDealloc:(BOOL)invalidateOnDealloc
    NS_SWIFT_NAME(init(invalidateOnDealloc:)) NS_DESIGNATED_INITIALIZER;
/// See `-initInvalidateOnDealloc:`.
+ (instancetype)newInvalidateOnDealloc:(BOOL)invalidateOnDealloc NS_SWIFT_NAME(new(invalidateOnDealloc:));

/// The token behind a handle of the C interface, `ovm_token *`, which is borrowed.
- (instancetype)initWithHandle:(struct ovm_token *)handle NS_SWIFT_NAME(init(handle:)) NS_DESIGNATED_INITIALIZER;
/// The token's handle, `ovm_token *`; valid as long as this object.
@property (readonly) struct ovm_token *handle;

/// Suppresses the handlers registered with the token so far, and asks the promises registered for it to cancel.
///
/// A handler that has not started does not run any more. Where its value was needed, its promise is cancelled.
- (void)invalidate;
/// Asks the promises registered for the token to cancel, without suppressing any handler.
- (void)cancelWithoutInvalidating;
/// Asks a promise to cancel at the next invalidation. The token does not keep the promise.
- (void)requestCancelOnInvalidate:(TWLPromise *)promise;

/// Invalidates this token whenever another one is invalidated or cancels, for ever.
- (void)chainInvalidationFromToken:(TWLInvalidationToken *)token NS_SWIFT_NAME(chainInvalidation(from:));
/// Invalidates this token whenever another one is invalidated, for ever. The other one does not keep it.
///
/// @param includingCancel Whether to follow `-cancelWithoutInvalidating`, too.
- (void)chainInvalidationFromToken:(TWLInvalidationToken *)token
    includingCancelWithoutInvalidating:(BOOL)includingCancel
    NS_SWIFT_NAME(chainInvalidation(from:includingCancelWithoutInvalidating:));

@end

NS_ASSUME_NONNULL_END
