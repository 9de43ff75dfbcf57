// Delays and timeouts, in seconds. A delay or a time limit of zero or less ends as soon as possible.

#import <Tomorrowland/TWLPromise.h>
#import <Tomorrowland/TWLTimeoutError.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<ValueType, ErrorType> (Utilities)

/// Creates a promise that is fulfilled after a delay. If the value is `nil`, the promise is cancelled after the delay.
/// A request to cancel cancels the promise at once.
+ (instancetype)newFulfilledWithValue:(ValueType)value
                           afterDelay:(NSTimeInterval)delay
    NS_SWIFT_UNAVAILABLE("Use init(fulfilled:after:)") TWL_WARN_UNUSED_RESULT;
/// Like `+newFulfilledWithValue:afterDelay:`, but the promise returned is resolved on a context.
+ (instancetype)newFulfilledOnContext:(TWLContext *)context
                            withValue:(ValueType)value
                           afterDelay:(NSTimeInterval)delay
    NS_SWIFT_UNAVAILABLE("Use init(on:fulfilled:after:)") TWL_WARN_UNUSED_RESULT;
/// Creates a promise that is rejected after a delay. If the error is `nil`, the promise is cancelled after the delay. A
/// request to cancel cancels the promise at once.
+ (instancetype)newRejectedWithError:(ErrorType)error
                          afterDelay:(NSTimeInterval)delay
    NS_SWIFT_UNAVAILABLE("Use init(rejected:after:)") TWL_WARN_UNUSED_RESULT;
/// Like `+newRejectedWithError:afterDelay:`, but the promise returned is resolved on a context.
+ (instancetype)newRejectedOnContext:(TWLContext *)context
                           withError:(ErrorType)error
                          afterDelay:(NSTimeInterval)delay
    NS_SWIFT_UNAVAILABLE("Use init(on:rejected:after:)") TWL_WARN_UNUSED_RESULT;
/// Creates a promise that is cancelled after a delay. A request to cancel cancels the promise at once.
+ (instancetype)newCancelledAfterDelay:(NSTimeInterval)delay
    NS_SWIFT_NAME(makeCancelled(after:)) TWL_WARN_UNUSED_RESULT;
/// Like `+newCancelledAfterDelay:`, but the promise returned is resolved on a context.
+ (instancetype)newCancelledOnContext:(TWLContext *)context
                           afterDelay:(NSTimeInterval)delay
    NS_SWIFT_NAME(makeCancelled(on:after:)) TWL_WARN_UNUSED_RESULT;

/// See `+newFulfilledWithValue:afterDelay:`.
- (instancetype)initFulfilledWithValue:(ValueType)value
                            afterDelay:(NSTimeInterval)delay NS_SWIFT_NAME(init(fulfilled:after:));
/// See `+newFulfilledOnContext:withValue:afterDelay:`.
- (instancetype)initFulfilledOnContext:(TWLContext *)context
                             withValue:(ValueType)value
                            afterDelay:(NSTimeInterval)delay NS_SWIFT_NAME(init(on:fulfilled:after:));
/// See `+newRejectedWithError:afterDelay:`.
- (instancetype)initRejectedWithError:(ErrorType)error
                           afterDelay:(NSTimeInterval)delay NS_SWIFT_NAME(init(rejected:after:));
/// See `+newRejectedOnContext:withError:afterDelay:`.
- (instancetype)initRejectedOnContext:(TWLContext *)context
                            withError:(ErrorType)error
                           afterDelay:(NSTimeInterval)delay NS_SWIFT_NAME(init(on:rejected:after:));
/// See `+newCancelledAfterDelay:`.
- (instancetype)initCancelledAfterDelay:(NSTimeInterval)delay NS_SWIFT_UNAVAILABLE("Use makeCancelled(after:)");
/// See `+newCancelledOnContext:afterDelay:`.
- (instancetype)initCancelledOnContext:(TWLContext *)context
                            afterDelay:(NSTimeInterval)delay NS_SWIFT_UNAVAILABLE("Use makeCancelled(on:after:)");

/// Returns a promise that is resolved with the same result after a delay. A cancellation that follows a request is not
/// delayed.
- (TWLPromise<ValueType, ErrorType> *)delay:(NSTimeInterval)delay TWL_WARN_UNUSED_RESULT;
/// Like `-delay:`, but the promise returned is resolved on a context.
- (TWLPromise<ValueType, ErrorType> *)delay:(NSTimeInterval)delay
                                  onContext:(TWLContext *)context TWL_WARN_UNUSED_RESULT;

/// Returns a promise with the same result, or with a timeout error if there is no result within a time limit. When the
/// time limit passes, the timeout withdraws its vote on this promise.
///
/// If this promise is already resolved, the promise returned is already resolved, too. Otherwise the promise returned
/// is resolved on `TWLContext.automatic`.
- (TWLPromise<ValueType, TWLTimeoutError<ErrorType> *> *)timeoutWithDelay:(NSTimeInterval)delay TWL_WARN_UNUSED_RESULT;
/// Like `-timeoutWithDelay:`, but the promise returned is resolved on a context.
- (TWLPromise<ValueType, TWLTimeoutError<ErrorType> *> *)timeoutOnContext:(TWLContext *)context
                                                                withDelay:(NSTimeInterval)delay TWL_WARN_UNUSED_RESULT;

@end

NS_ASSUME_NONNULL_END
