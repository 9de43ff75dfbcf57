// Methods that combine several promises.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<ValueType, ErrorType> (When)

/// Returns a promise for all the values, in the order of the promises. The first rejection or cancellation decides.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises;
/// Like `+whenFulfilled:`. The quality of service has no effect, because the values are not collected on a queue.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                                           qos:(dispatch_qos_class_t)qosClass;
/// Like `+whenFulfilled:`.
///
/// @param cancelOnFailure Whether the other promises are asked to cancel when one is rejected or cancelled.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                               cancelOnFailure:(BOOL)cancelOnFailure;
/// Like `+whenFulfilled:cancelOnFailure:`. The quality of service has no effect.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                                           qos:(dispatch_qos_class_t)qosClass
                                               cancelOnFailure:(BOOL)cancelOnFailure;

/// Returns a promise for the first value or error. It is cancelled if all the promises are cancelled or there are none.
+ (TWLPromise<ValueType, ErrorType> *)race:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises;
/// Like `+race:`.
///
/// @param cancelRemaining Whether the other promises are asked to cancel after the first result.
+ (TWLPromise<ValueType, ErrorType> *)race:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                           cancelRemaining:(BOOL)cancelRemaining;

@end

NS_ASSUME_NONNULL_END
