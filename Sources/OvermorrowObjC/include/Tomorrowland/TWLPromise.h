// The promise.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLInvalidationToken;
@class TWLResolver<ValueType, ErrorType>;
@protocol TWLCancellable;
struct ovm_promise;

NS_ASSUME_NONNULL_BEGIN

/// The future result of work. Any number of handlers can observe it, and its children vote on its cancellation.
///
/// Observers (`then`, `catch`, `inspect`, `whenCancelled`) return a new promise with the same result, which is resolved
/// after the handler has returned. Transforms (`map`, `recover`, `always`) return a promise for what the handler
/// returns. The handlers of a promise run, or are submitted to their contexts, in the order of registration. Handlers
/// without a context run on `TWLContext.automatic`. Invalidating a token suppresses its handlers.
NS_SWIFT_NAME(ObjCPromise)
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> : NSObject {
@private
  struct ovm_promise *_handle;
}

/// See `-initOnContext:withBlock:`.
+ (instancetype)newOnContext:(TWLContext *)context
                   withBlock:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))block
    NS_SWIFT_UNAVAILABLE("Use init(on:_:)");
/// A fulfilled promise.
+ (instancetype)newFulfilledWithValue:(ValueType)value NS_SWIFT_UNAVAILABLE("Use init(fulfilled:)");
/// A rejected promise.
+ (instancetype)newRejectedWithError:(ErrorType)error NS_SWIFT_UNAVAILABLE("Use init(rejected:)");
/// A cancelled promise.
+ (instancetype)newCancelled NS_SWIFT_NAME(makeCancelled());
/// Creates a promise that a block resolves on a context. It is cancelled when the last reference to the resolver is
/// released unused.
- (instancetype)initOnContext:(TWLContext *)context
                    withBlock:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))block
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;
/// Creates a fulfilled promise, or a cancelled one if the value is `nil`.
- (instancetype)initFulfilledWithValue:(ValueType)value NS_SWIFT_NAME(init(fulfilled:)) NS_DESIGNATED_INITIALIZER;
/// Creates a rejected promise, or a cancelled one if the error is `nil`.
- (instancetype)initRejectedWithError:(ErrorType)error NS_SWIFT_NAME(init(rejected:)) NS_DESIGNATED_INITIALIZER;
/// A cancelled promise.
- (instancetype)initCancelled NS_SWIFT_UNAVAILABLE("Use .makeCancelled()") NS_DESIGNATED_INITIALIZER;
/// Creates an unresolved promise and its resolver.
- (instancetype)initWithResolver:(TWLResolver<ValueType, ErrorType> *__strong _Nullable *_Nonnull)outResolver
    NS_DESIGNATED_INITIALIZER;
/// Creates a promise from a handle of the C interface, an `ovm_promise *`, which is borrowed. Its value or error must
/// be an Objective-C object.
- (instancetype)initWithHandle:(struct ovm_promise *)handle NS_SWIFT_NAME(init(handle:)) NS_DESIGNATED_INITIALIZER;

/// Returns whether the promise is resolved, and stores its value or its error. Both are `nil` if the promise is
/// cancelled or unresolved.
- (BOOL)getValue:(ValueType __strong _Nullable *_Nullable)outValue
           error:(ErrorType __strong _Nullable *_Nullable)outError;

/// Returns a promise with the same result and its own vote on the cancellation of this one.
- (TWLPromise<ValueType, ErrorType> *)makeChild;
/// Returns a promise with the same result that never passes on a request to cancel, and keeps its vote for ever.
- (TWLPromise<ValueType, ErrorType> *)ignoringCancel TWL_WARN_UNUSED_RESULT;

/// Requests the cancellation of the promise. It has no effect if the promise is resolved.
- (void)requestCancel;
/// Requests the cancellation of the promise at the next invalidation of a token, which does not retain the promise.
/// Returns this promise.
- (TWLPromise<ValueType, ErrorType> *)requestCancelOnInvalidate:(TWLInvalidationToken *)token;
/// Requests the cancellation of the promise when an object is deallocated. The promise does not retain the object.
/// Returns this promise.
- (TWLPromise<ValueType, ErrorType> *)requestCancelOnDealloc:(id)object;
/// A weak reference to the promise, through which its cancellation can be requested. It retains neither the promise nor
/// its result nor its handlers.
@property (atomic, readonly, nonnull) id<TWLCancellable> cancellable;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

// Observers.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Observing)

/// Calls a handler with the value.
- (TWLPromise<ValueType, ErrorType> *)then:(void (^)(ValueType value))handler;
/// Calls a handler with the value, on a context.
- (TWLPromise<ValueType, ErrorType> *)thenOnContext:(TWLContext *)context
                                            handler:(void (^)(ValueType value))handler NS_SWIFT_NAME(then(on:_:));
/// Calls a handler with the value, on a context. The handler does not run if the token is invalidated first.
- (TWLPromise<ValueType, ErrorType> *)thenOnContext:(TWLContext *)context
                                              token:(nullable TWLInvalidationToken *)token
                                            handler:(void (^)(ValueType value))handler
    NS_SWIFT_NAME(then(on:token:_:));

/// Calls a handler with the error.
- (TWLPromise<ValueType, ErrorType> *)catch:(void (^)(ErrorType error))handler;
/// Calls a handler with the error, on a context.
- (TWLPromise<ValueType, ErrorType> *)catchOnContext:(TWLContext *)context
                                             handler:(void (^)(ErrorType error))handler NS_SWIFT_NAME(catch(on:_:));
/// Calls a handler with the error, on a context. The handler does not run if the token is invalidated first.
- (TWLPromise<ValueType, ErrorType> *)catchOnContext:(TWLContext *)context
                                               token:(nullable TWLInvalidationToken *)token
                                             handler:(void (^)(ErrorType error))handler
    NS_SWIFT_NAME(catch(on:token:_:));

/// Calls a handler with the value or the error. Both are `nil` for a cancelled promise.
- (TWLPromise<ValueType, ErrorType> *)inspect:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler;
/// Like `-inspect:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)
    inspectOnContext:(TWLContext *)context
             handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(inspect(on:_:));
/// Like `-inspect:`, on a context. The handler does not run if the token is invalidated first.
- (TWLPromise<ValueType, ErrorType> *)
    inspectOnContext:(TWLContext *)context
               token:(nullable TWLInvalidationToken *)token
             handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(inspect(on:token:_:));

/// Like `-inspect:`, but without a vote in cancellation. Returns this promise, which does not wait for the handler.
- (TWLPromise<ValueType, ErrorType> *)tap:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler;
/// Like `-tap:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)
    tapOnContext:(TWLContext *)context
         handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler NS_SWIFT_NAME(tap(on:_:));
/// Like `-tap:`, on a context. The handler does not run if the token is invalidated first.
- (TWLPromise<ValueType, ErrorType> *)
    tapOnContext:(TWLContext *)context
           token:(nullable TWLInvalidationToken *)token
         handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(tap(on:token:_:));
/// Returns a promise with the same result and without a vote on the cancellation of this one.
- (TWLPromise<ValueType, ErrorType> *)tap;

/// Calls a handler when the promise is cancelled. The handler does not prevent other observers from cancelling the
/// promise.
- (TWLPromise<ValueType, ErrorType> *)whenCancelled:(void (^)(void))handler NS_SWIFT_NAME(onCancel(_:));
/// Like `-whenCancelled:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)whenCancelledOnContext:(TWLContext *)context
                                                     handler:(void (^)(void))handler
    NS_SWIFT_NAME(onCancel(on:_:));
/// Like `-whenCancelled:`, on a context. The handler does not run if the token is invalidated first.
- (TWLPromise<ValueType, ErrorType> *)whenCancelledOnContext:(TWLContext *)context
                                                       token:(nullable TWLInvalidationToken *)token
                                                     handler:(void (^)(void))handler
    NS_SWIFT_NAME(onCancel(on:token:_:));

@end

// Transforms.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Transforming)

/// Returns a promise for the object that a handler returns for the value. If the object is a promise, it is adopted.
- (TWLPromise *)map:(id (^)(ValueType value))handler TWL_WARN_UNUSED_RESULT;
/// Like `-map:`, on a context.
- (TWLPromise *)mapOnContext:(TWLContext *)context
                     handler:(id (^)(ValueType value))handler NS_SWIFT_NAME(map(on:_:)) TWL_WARN_UNUSED_RESULT;
/// Like `-map:`, on a context. The promise returned is cancelled if the token is invalidated before the handler has
/// started.
- (TWLPromise *)mapOnContext:(TWLContext *)context
                       token:(nullable TWLInvalidationToken *)token
                     handler:(id (^)(ValueType value))handler
    NS_SWIFT_NAME(map(on:token:_:)) TWL_WARN_UNUSED_RESULT;

/// Returns a promise for the value, or for the object that a handler returns for the error. If the object is a promise,
/// it is adopted.
- (TWLPromise *)recover:(id (^)(ErrorType error))handler TWL_WARN_UNUSED_RESULT;
/// Like `-recover:`, on a context.
- (TWLPromise *)recoverOnContext:(TWLContext *)context
                         handler:(id (^)(ErrorType error))handler
    NS_SWIFT_NAME(recover(on:_:)) TWL_WARN_UNUSED_RESULT;
/// Like `-recover:`, on a context. The promise returned is cancelled if the token is invalidated before the handler has
/// started.
- (TWLPromise *)recoverOnContext:(TWLContext *)context
                           token:(nullable TWLInvalidationToken *)token
                         handler:(id (^)(ErrorType error))handler
    NS_SWIFT_NAME(recover(on:token:_:)) TWL_WARN_UNUSED_RESULT;

/// Adopts the promise that a handler returns for the result. For a cancelled promise, both arguments of the handler are
/// `nil`.
- (TWLPromise *)always:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    TWL_WARN_UNUSED_RESULT;
/// Like `-always:`, on a context.
- (TWLPromise *)alwaysOnContext:(TWLContext *)context
                        handler:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(always(on:_:)) TWL_WARN_UNUSED_RESULT;
/// Like `-always:`, on a context. The promise returned is cancelled if the token is invalidated before the handler has
/// started.
- (TWLPromise *)alwaysOnContext:(TWLContext *)context
                          token:(nullable TWLInvalidationToken *)token
                        handler:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(always(on:token:_:)) TWL_WARN_UNUSED_RESULT;

@end

// Sharing one promise among several observers.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Propagating)

/// Returns a promise with the same result that passes the requests of its children on even while references to it
/// exist.
///
/// @param cancelRequested Called on the context, with the new promise, directly before a request that all its children
/// have made is passed on.
- (TWLPromise<ValueType, ErrorType> *)
    propagatingCancellationOnContext:(TWLContext *)context
              cancelRequestedHandler:(void (^)(TWLPromise<ValueType, ErrorType> *promise))cancelRequested
    NS_SWIFT_NAME(propagatingCancellation(on:cancelRequested:));
@end

/// An object that can be asked to cancel.
@protocol TWLCancellable <NSObject>
/// Requests cancellation. It has no effect if there is nothing left to cancel.
- (void)requestCancel;
@end

NS_ASSUME_NONNULL_END
