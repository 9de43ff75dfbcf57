// Methods that register two observers in one call.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Convenience)

/// Calls one handler with the value, or the other with the error.
- (TWLPromise<ValueType, ErrorType> *)then:(void (^)(ValueType value))thenHandler
                                     catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");
/// Like `-then:catch:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)onContext:(TWLContext *)context
                                           then:(void (^)(ValueType value))thenHandler
                                          catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");
/// Like `-then:catch:`, on a context. The handlers do not run if the token is invalidated first.
- (TWLPromise<ValueType, ErrorType> *)onContext:(TWLContext *)context
                                          token:(nullable TWLInvalidationToken *)token
                                           then:(void (^)(ValueType value))thenHandler
                                          catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");

@end

NS_ASSUME_NONNULL_END
