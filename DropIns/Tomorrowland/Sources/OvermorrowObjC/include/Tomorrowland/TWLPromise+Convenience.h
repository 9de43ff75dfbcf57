// Methods that register two observers in one call.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Convenience)

/// Calls the first handler with the value, or the second handler with the error.
- (TWLPromise<ValueType, ErrorType> *)then:(void (^)(ValueType value))thenHandler
                                     catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");
/// Like `-then:catch:`, but runs the handlers on a context.
- (TWLPromise<ValueType, ErrorType> *)onContext:(TWLContext *)context
                                           then:(void (^)(ValueType value))thenHandler
                                          catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");
/// Like `-then:catch:`, but runs the handlers on a context. If the token is invalidated before a handler has started,
/// the handler does not run.
- (TWLPromise<ValueType, ErrorType> *)onContext:(TWLContext *)context
                                          token:(nullable TWLInvalidationToken *)token
                                           then:(void (^)(ValueType value))thenHandler
                                          catch:(void (^)(ErrorType error))catchHandler
    NS_SWIFT_UNAVAILABLE("Use then(…).catch(…)");

@end

NS_ASSUME_NONNULL_END
