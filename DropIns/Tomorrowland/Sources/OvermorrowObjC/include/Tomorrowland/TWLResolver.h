// The resolver of a promise.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
struct ovm_resolver;

NS_ASSUME_NONNULL_BEGIN

/// An object that resolves a promise once. Only the first call has an effect.
///
/// If the last resolver of a promise is deallocated before the promise is resolved or adopts another promise, the
/// promise is cancelled.
@interface TWLResolver<__contravariant ValueType, __contravariant ErrorType> : NSObject {
@private
  struct ovm_resolver *_handle;
}

/// Fulfils the promise. If the value is `nil`, the promise is cancelled.
- (void)fulfillWithValue:(ValueType)value NS_SWIFT_NAME(fulfill(with:));
/// Rejects the promise. If the error is `nil`, the promise is cancelled.
- (void)rejectWithError:(ErrorType)error NS_SWIFT_NAME(reject(with:));
/// Cancels the promise.
- (void)cancel;
/// Resolves the promise. If there is a value, the promise is fulfilled. If there is only an error, the promise is
/// rejected. If there is neither, the promise is cancelled.
- (void)resolveWithValue:(nullable ValueType)value error:(nullable ErrorType)error;
/// Makes the promise of this resolver adopt another promise. When the other promise is resolved, the promise of this
/// resolver is resolved with the same result.
///
/// A request to cancel the promise of this resolver withdraws one vote on the other promise. A promise that adopts itself
/// is cancelled. If adoptions form a longer cycle, its promises are cancelled in debug builds, and stay unresolved in
/// release builds.
- (void)resolveWithPromise:(nonnull TWLPromise<ValueType, ErrorType> *)promise;

/// Registers a handler that runs when the cancellation of the promise is requested.
///
/// Handlers run in the order of registration. A handler that is registered after cancellation was requested, or on a
/// cancelled promise, runs at once. A handler that is registered on a fulfilled or rejected promise does not run.
- (void)whenCancelRequestedOnContext:(TWLContext *)context
                             handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(onRequestCancel(on:_:));

/// Whether cancellation was requested or the promise is cancelled. If the promise is fulfilled or rejected, `NO`,
/// even if cancellation was requested earlier.
@property (atomic, readonly) BOOL cancelRequested;

/// Returns a completion handler that resolves the promise. If the completion handler receives a value, the promise is
/// fulfilled. If the completion handler receives only an error, the promise is rejected.
///
/// If the completion handler receives neither, the promise is rejected with the error
/// `TWLPromiseCallbackErrorAPIMismatch`. The completion handler is a block that retains the resolver. If the block must
/// outlive the autorelease pool of the caller, copy the block. An API that takes a completion handler copies the block
/// itself.
- (void (^)(ValueType _Nullable value, ErrorType _Nullable error))handleCallback;
/// Like `-handleCallback`, with one exception. If the completion handler receives only an error, and the predicate
/// returns `YES` for the error, the promise is cancelled.
- (void (^)(ValueType _Nullable value, ErrorType _Nullable error))handleCallbackWithCancelPredicate:
    (BOOL (^)(ErrorType _Nonnull error))predicate;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

/// The domain of `TWLPromiseCallbackError`.
extern NSString *const TWLPromiseCallbackErrorDomain NS_REFINED_FOR_SWIFT;

/// The error codes for a wrong call of a completion handler.
typedef NS_ENUM(NSInteger, TWLPromiseCallbackError) {
  /// The completion handler received neither a value nor an error.
  TWLPromiseCallbackErrorAPIMismatch = 0
} NS_REFINED_FOR_SWIFT;

NS_ASSUME_NONNULL_END
