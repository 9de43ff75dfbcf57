// The resolver of a promise.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
struct ovm_resolver;

NS_ASSUME_NONNULL_BEGIN

/// Resolves a promise, once: the first call counts, and later calls have no effect.
///
/// When the last resolver of a promise is deallocated before the promise is resolved, the promise is cancelled.
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
/// Makes the promise adopt another one: it is resolved with the same result.
///
/// A request to cancel the promise withdraws one vote on the other one. If adoptions form a cycle, the promises of the
/// cycle are cancelled.
- (void)resolveWithPromise:(nonnull TWLPromise<ValueType, ErrorType> *)promise;

/// Registers a handler to call when the cancellation of the promise is requested.
///
/// Handlers run in the order of registration. A handler that is registered after cancellation was requested, or on a
/// cancelled promise, runs at once. On a fulfilled or rejected promise, a handler does not run.
- (void)whenCancelRequestedOnContext:(TWLContext *)context
                             handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(onRequestCancel(on:_:));

/// Whether cancellation was requested or the promise is cancelled. `NO` after the promise was fulfilled or rejected.
@property (atomic, readonly) BOOL cancelRequested;

/// Returns a completion handler that resolves the promise, with the value if there is one and otherwise with the error.
///
/// If there is neither, the promise is rejected with the error `TWLPromiseCallbackErrorAPIMismatch`. The block retains
/// the resolver. Copy the block if it must outlive the autorelease pool of the caller, as an API that takes a
/// completion handler does.
- (void (^)(ValueType _Nullable value, ErrorType _Nullable error))handleCallback;
/// Like `-handleCallback`, except that an error for which the predicate returns `YES` cancels the promise.
- (void (^)(ValueType _Nullable value, ErrorType _Nullable error))handleCallbackWithCancelPredicate:
    (BOOL (^)(ErrorType _Nonnull error))predicate;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

/// The domain of `TWLPromiseCallbackError`.
extern NSString *const TWLPromiseCallbackErrorDomain NS_REFINED_FOR_SWIFT;

/// Errors in how a completion handler was called.
typedef NS_ENUM(NSInteger, TWLPromiseCallbackError) {
  /// The completion handler received neither a value nor an error.
  TWLPromiseCallbackErrorAPIMismatch = 0
} NS_REFINED_FOR_SWIFT;

NS_ASSUME_NONNULL_END
