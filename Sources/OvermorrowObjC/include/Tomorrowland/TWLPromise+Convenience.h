// Two observers in one call.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Convenience)

/// Calls one handler with the value, or the other one with the error.
- (TWLPromise<ValueType, ErrorType> *)then:(void (^)(ValueType value))thenHandler
                                     catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");
/// As `-then:catch:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)onContext:(TWLContext *)context
                                           then:(void (^)(ValueType value))thenHandler
                                          catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");
/// As `-then:catch:`, on a context, unless the token is invalidated before.
- (TWLPromise<ValueType, ErrorType> *)onContext:(TWLContext *)context
                                          token:(nullable TWLInvalidationToken *)token
                                           then:(void (^)(ValueType value))thenHandler
                                          catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");

@end

NS_ASSUME_NONNULL_END
