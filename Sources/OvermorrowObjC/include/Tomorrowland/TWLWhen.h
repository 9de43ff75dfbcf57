// One promise of several.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<ValueType, ErrorType> (When)

/// A promise for all the values, in the order of the promises. The first rejection or cancellation decides.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises;
/// As `+whenFulfilled:`. Nothing has to be run for it, so the quality of service has no effect.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                                           qos:(dispatch_qos_class_t)qosClass;
/// As `+whenFulfilled:`.
///
/// @param cancelOnFailure Whether all the promises are asked to cancel as soon as one is rejected or cancelled.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                               cancelOnFailure:(BOOL)cancelOnFailure;
/// As `+whenFulfilled:cancelOnFailure:`. The quality of service has no effect.
+ (TWLPromise<NSArray<ValueType> *, ErrorType> *)whenFulfilled:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                                                           qos:(dispatch_qos_class_t)qosClass
                                               cancelOnFailure:(BOOL)cancelOnFailure;

/// A promise for the first value or error; it is cancelled if all the promises are, or there is none.
+ (TWLPromise<ValueType, ErrorType> *)race:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises;
/// As `+race:`.
///
/// @param cancelRemaining Whether the others are asked to cancel as soon as there is a result.
+ (TWLPromise<ValueType, ErrorType> *)race:(NSArray<TWLPromise<ValueType, ErrorType> *> *)promises
                           cancelRemaining:(BOOL)cancelRemaining;

@end

NS_ASSUME_NONNULL_END
