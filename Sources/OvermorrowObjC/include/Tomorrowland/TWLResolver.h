// What resolves a promise.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
struct ovm_resolver;

NS_ASSUME_NONNULL_BEGIN

/// Resolves a promise, at most once: the first call that resolves wins, later ones do nothing.
///
/// When the last resolver of a promise is deallocated without having resolved it, the promise is cancelled.
@interface TWLResolver<__contravariant ValueType, __contravariant ErrorType> : NSObject {
@private
  struct ovm_resolver *_handle;
}

/// Fulfils the promise.
- (void)fulfillWithValue:(ValueType)value NS_SWIFT_NAME(fulfill(with:));
/// Rejects the promise.
- (void)rejectWithError:(ErrorType)error NS_SWIFT_NAME(reject(with:));
/// Cancels the promise.
- (void)cancel;
/// Fulfils the promise if there is a value, rejects it if there is only an error, and cancels it if there is neither.
- (void)resolveWithValue:(nullable ValueType)value error:(nullable ErrorType)error;
/// Resolves the promise to whatever another one resolves to.
///
/// A request to cancel the promise counts as one child's request on the other one. Round a cycle, promises are cancelled.
- (void)resolveWithPromise:(nonnull TWLPromise<ValueType, ErrorType> *)promise;

/// Registers what to do when cancelling the promise is requested.
///
/// Handlers run in the order in which they were registered, and not after the promise has resolved. If the request was
/// made before, the handler runs at once.
- (void)whenCancelRequestedOnContext:(TWLContext *)context
                             handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(onRequestCancel(on:_:));

/// Whether cancelling was requested, or the promise is cancelled; `NO` once it is fulfilled or rejected.
@property (atomic, readonly) BOOL cancelRequested;

/// A completion handler that resolves the promise: with the value if there is one, otherwise with the error.
///
/// With neither, it rejects with the error `TWLPromiseCallbackErrorAPIMismatch`. The block keeps the resolver. Copy it if
/// it is to outlive the autorelease pool of the caller, as whoever takes a completion handler does.
- (void (^)(ValueType _Nullable value, ErrorType _Nullable error))handleCallback;
/// As `-handleCallback`, except that an error for which the predicate returns `YES` cancels the promise.
- (void (^)(ValueType _Nullable value, ErrorType _Nullable error))handleCallbackWithCancelPredicate:
    (BOOL (^)(ErrorType _Nonnull error))predicate;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

/// The domain of `TWLPromiseCallbackError`.
extern NSString *const TWLPromiseCallbackErrorDomain NS_REFINED_FOR_SWIFT;

/// What can be wrong about how a completion handler was called.
typedef NS_ENUM(NSInteger, TWLPromiseCallbackError) {
  /// It got neither a value nor an error.
  TWLPromiseCallbackErrorAPIMismatch = 0
} NS_REFINED_FOR_SWIFT;

NS_ASSUME_NONNULL_END
