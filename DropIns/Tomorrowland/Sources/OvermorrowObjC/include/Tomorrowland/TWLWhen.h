// Methods that combine several promises.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<ValueType, ErrorType> (When)

/// Returns a promise for all the values, in the order of the promises. As soon as one of the promises is rejected
/// or cancelled, the promise returned is resolved with the same result.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises;
/// Like `+whenFulfilled:`. The quality of service has no effect, because the values are not collected on a queue.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                                           qos:(dispatch_qos_class_t)qosClass;
/// Like `+whenFulfilled:`.
///
/// @param cancelOnFailure Whether the first rejection or cancellation requests the cancellation of the other promises.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                               cancelOnFailure:(BOOL)cancelOnFailure;
/// Like `+whenFulfilled:cancelOnFailure:`. The quality of service has no effect.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                                           qos:(dispatch_qos_class_t)qosClass
                                               cancelOnFailure:(BOOL)cancelOnFailure;

/// Returns a promise for the first value or error. If all the promises are cancelled, or if there are no promises, the
/// promise returned is cancelled.
+ (TWLPromise<ValueType, ErrorType> *)race:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises;
/// Like `+race:`.
///
/// @param cancelRemaining Whether the first value or error requests the cancellation of the other promises.
+ (TWLPromise<ValueType, ErrorType> *)race:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                           cancelRemaining:(BOOL)cancelRemaining;

@end

NS_ASSUME_NONNULL_END
