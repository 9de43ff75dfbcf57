// Tokens that suppress handlers and request the cancellation of promises.

#import <Tomorrowland/TWLMacros.h>

@class TWLPromise<ValueType, ErrorType>;
struct ovm_token;

NS_ASSUME_NONNULL_BEGIN

/// A token whose invalidation suppresses handlers and requests the cancellation of promises.
///
/// A token can be used for any number of handlers and promises, and can be used again after an invalidation. The
/// handlers and promises that are registered with a token do not retain the token.
NS_SWIFT_NAME(ObjCPromiseInvalidationToken)
@interface TWLInvalidationToken : NSObject {
@private
  struct ovm_token *_handle;
}

/// Creates a token that is invalidated when it is deallocated.
- (instancetype)init;
/// Creates a token.
///
/// @param invalidateOnDealloc Whether the token is invalidated when it is deallocated.
- (instancetype)initInvalidateOnDealloc:(BOOL)invalidateOnDealloc
    NS_SWIFT_NAME(init(invalidateOnDealloc:)) NS_DESIGNATED_INITIALIZER;
/// See `-initInvalidateOnDealloc:`.
+ (instancetype)newInvalidateOnDealloc:(BOOL)invalidateOnDealloc NS_SWIFT_NAME(new(invalidateOnDealloc:));

/// Creates a token from a handle of the C interface, an `ovm_token *`. The handle is borrowed.
- (instancetype)initWithHandle:(struct ovm_token *)handle NS_SWIFT_NAME(init(handle:)) NS_DESIGNATED_INITIALIZER;
/// The token's handle, an `ovm_token *`. The handle is valid as long as this object exists.
@property (readonly) struct ovm_token *handle;

/// Suppresses the handlers that were registered with the token before this call, and requests the cancellation of the
/// promises that were registered with the token.
///
/// A handler that has not started does not run any more. If a promise needed the result of that handler, the promise is
/// cancelled.
- (void)invalidate;
/// Requests the cancellation of the promises that were registered with the token. No handler is suppressed.
- (void)cancelWithoutInvalidating;
/// Registers a promise with the token. The next `-invalidate` or `-cancelWithoutInvalidating` requests the cancellation
/// of the promise. The token does not retain the promise.
- (void)requestCancelOnInvalidate:(TWLPromise *)promise;

/// Makes each `-invalidate` and each `-cancelWithoutInvalidating` of another token apply to this token, too. The
/// connection is permanent.
- (void)chainInvalidationFromToken:(TWLInvalidationToken *)token NS_SWIFT_NAME(chainInvalidation(from:));
/// Makes each `-invalidate` of another token apply to this token, too. The connection is permanent. The other token
/// does not retain this token.
///
/// @param includingCancel Whether each `-cancelWithoutInvalidating` of the other token applies to this token, too.
- (void)chainInvalidationFromToken:(TWLInvalidationToken *)token
    includingCancelWithoutInvalidating:(BOOL)includingCancel
    NS_SWIFT_NAME(chainInvalidation(from:includingCancelWithoutInvalidating:));

@end

NS_ASSUME_NONNULL_END
