// The promise.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLInvalidationToken;
@class TWLResolver<ValueType, ErrorType>;
@protocol TWLCancellable;
struct ovm_promise;

NS_ASSUME_NONNULL_BEGIN

/// The future result of work. Any number of handlers can observe a promise. The children of a promise vote on the
/// cancellation of the promise.
///
/// Observers (`then`, `catch`, `inspect`, `whenCancelled`) return a new promise with the same result. If the handler
/// runs, the new promise is resolved after the handler has returned. Transforms (`map`, `recover`, `always`) return a
/// promise for what the handler returns. The handlers of a promise run, or are submitted to their contexts, in the
/// order of registration. A handler that is registered without a context runs on `TWLContext.automatic`. An
/// invalidation of a token suppresses the handlers that were registered with the token.
NS_SWIFT_NAME(ObjCPromise)
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> : NSObject {
@private
  struct ovm_promise *_handle;
}

/// See `-initOnContext:withBlock:`.
+ (instancetype)newOnContext:(TWLContext *)context
                   withBlock:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))block
    NS_SWIFT_UNAVAILABLE("Use init(on:_:)");
/// See `-initFulfilledWithValue:`.
+ (instancetype)newFulfilledWithValue:(ValueType)value NS_SWIFT_UNAVAILABLE("Use init(fulfilled:)");
/// See `-initRejectedWithError:`.
+ (instancetype)newRejectedWithError:(ErrorType)error NS_SWIFT_UNAVAILABLE("Use init(rejected:)");
/// Creates a cancelled promise.
+ (instancetype)newCancelled NS_SWIFT_NAME(makeCancelled());
/// Creates a promise that a block resolves on a context. If the last reference to the resolver is released before the
/// promise is resolved or adopts another promise, the promise is cancelled.
- (instancetype)initOnContext:(TWLContext *)context
                    withBlock:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))block
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;
/// Creates a fulfilled promise. If the value is `nil`, the promise is cancelled instead.
- (instancetype)initFulfilledWithValue:(ValueType)value NS_SWIFT_NAME(init(fulfilled:)) NS_DESIGNATED_INITIALIZER;
/// Creates a rejected promise. If the error is `nil`, the promise is cancelled instead.
- (instancetype)initRejectedWithError:(ErrorType)error NS_SWIFT_NAME(init(rejected:)) NS_DESIGNATED_INITIALIZER;
/// Creates a cancelled promise.
- (instancetype)initCancelled NS_SWIFT_UNAVAILABLE("Use .makeCancelled()") NS_DESIGNATED_INITIALIZER;
/// Creates an unresolved promise and its resolver.
- (instancetype)initWithResolver:(TWLResolver<ValueType, ErrorType> *__strong _Nullable *_Nonnull)outResolver
    NS_DESIGNATED_INITIALIZER;
/// Creates a promise from a handle of the C interface, an `ovm_promise *`. The handle is borrowed. The value or the
/// error of the promise must be an Objective-C object.
- (instancetype)initWithHandle:(struct ovm_promise *)handle NS_SWIFT_NAME(init(handle:)) NS_DESIGNATED_INITIALIZER;

/// Returns whether the promise is resolved, and stores its value or its error. If the promise is cancelled or
/// unresolved, both the value and the error are `nil`.
- (BOOL)getValue:(ValueType __strong _Nullable *_Nullable)outValue
           error:(ErrorType __strong _Nullable *_Nullable)outError;

/// Returns a promise with the same result. The new promise has its own vote on the cancellation of this promise.
- (TWLPromise<ValueType, ErrorType> *)makeChild;
/// Returns a promise with the same result. The new promise never passes a request to cancel on to this promise, and
/// never withdraws its vote on the cancellation of this promise.
- (TWLPromise<ValueType, ErrorType> *)ignoringCancel TWL_WARN_UNUSED_RESULT;

/// Requests the cancellation of the promise. If the promise is resolved, the request has no effect.
- (void)requestCancel;
/// Registers the promise with a token, and returns the promise. The next `-invalidate` or `-cancelWithoutInvalidating`
/// of the token requests the cancellation of the promise. The token does not retain the promise.
- (TWLPromise<ValueType, ErrorType> *)requestCancelOnInvalidate:(TWLInvalidationToken *)token;
/// Requests the cancellation of the promise when an object is deallocated. Returns the promise, which does not retain
/// the object.
- (TWLPromise<ValueType, ErrorType> *)requestCancelOnDealloc:(id)object;
/// A weak reference to the promise, for requests to cancel. The weak reference retains neither the promise nor the
/// result nor the handlers of the promise.
@property (atomic, readonly, nonnull) id<TWLCancellable> cancellable;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

// Observers.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Observing)

/// Calls a handler with the value.
- (TWLPromise<ValueType, ErrorType> *)then:(void (^)(ValueType value))handler;
/// Calls a handler on a context with the value.
- (TWLPromise<ValueType, ErrorType> *)thenOnContext:(TWLContext *)context
                                            handler:(void (^)(ValueType value))handler NS_SWIFT_NAME(then(on:_:));
/// Calls a handler on a context with the value. If the token is invalidated before the handler has started, the handler
/// does not run.
- (TWLPromise<ValueType, ErrorType> *)thenOnContext:(TWLContext *)context
                                              token:(nullable TWLInvalidationToken *)token
                                            handler:(void (^)(ValueType value))handler
    NS_SWIFT_NAME(then(on:token:_:));

/// Calls a handler with the error.
- (TWLPromise<ValueType, ErrorType> *)catch:(void (^)(ErrorType error))handler;
/// Calls a handler on a context with the error.
- (TWLPromise<ValueType, ErrorType> *)catchOnContext:(TWLContext *)context
                                             handler:(void (^)(ErrorType error))handler NS_SWIFT_NAME(catch(on:_:));
/// Calls a handler on a context with the error. If the token is invalidated before the handler has started, the handler
/// does not run.
- (TWLPromise<ValueType, ErrorType> *)catchOnContext:(TWLContext *)context
                                               token:(nullable TWLInvalidationToken *)token
                                             handler:(void (^)(ErrorType error))handler
    NS_SWIFT_NAME(catch(on:token:_:));

/// Calls a handler with the value or the error. For a cancelled promise, both arguments of the handler are `nil`.
- (TWLPromise<ValueType, ErrorType> *)inspect:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler;
/// Like `-inspect:`, but runs the handler on a context.
- (TWLPromise<ValueType, ErrorType> *)
    inspectOnContext:(TWLContext *)context
             handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(inspect(on:_:));
/// Like `-inspect:`, but runs the handler on a context. If the token is invalidated before the handler has started, the
/// handler does not run.
- (TWLPromise<ValueType, ErrorType> *)
    inspectOnContext:(TWLContext *)context
               token:(nullable TWLInvalidationToken *)token
             handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(inspect(on:token:_:));

/// Like `-inspect:`, but the handler has no vote on cancellation. Returns this promise, which does not wait for the
/// handler.
- (TWLPromise<ValueType, ErrorType> *)tap:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler;
/// Like `-tap:`, but runs the handler on a context.
- (TWLPromise<ValueType, ErrorType> *)
    tapOnContext:(TWLContext *)context
         handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler NS_SWIFT_NAME(tap(on:_:));
/// Like `-tap:`, but runs the handler on a context. If the token is invalidated before the handler has started, the
/// handler does not run.
- (TWLPromise<ValueType, ErrorType> *)
    tapOnContext:(TWLContext *)context
           token:(nullable TWLInvalidationToken *)token
         handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(tap(on:token:_:));
/// Returns a promise with the same result. The new promise has no vote on the cancellation of this promise.
- (TWLPromise<ValueType, ErrorType> *)tap;

/// Calls a handler when this promise is cancelled. The new promise has no vote on the cancellation of this promise, so
/// it does not stop a request to cancel that the other children of this promise have made.
- (TWLPromise<ValueType, ErrorType> *)whenCancelled:(void (^)(void))handler NS_SWIFT_NAME(onCancel(_:));
/// Like `-whenCancelled:`, but runs the handler on a context.
- (TWLPromise<ValueType, ErrorType> *)whenCancelledOnContext:(TWLContext *)context
                                                     handler:(void (^)(void))handler
    NS_SWIFT_NAME(onCancel(on:_:));
/// Like `-whenCancelled:`, but runs the handler on a context. If the token is invalidated before the handler has
/// started, the handler does not run.
- (TWLPromise<ValueType, ErrorType> *)whenCancelledOnContext:(TWLContext *)context
                                                       token:(nullable TWLInvalidationToken *)token
                                                     handler:(void (^)(void))handler
    NS_SWIFT_NAME(onCancel(on:token:_:));

@end

// Transforms.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Transforming)

/// Returns a promise for the object that a handler returns for the value. If the object is a promise, the promise
/// returned adopts that promise. If the object is `nil`, the promise returned is cancelled.
- (TWLPromise *)map:(id (^)(ValueType value))handler TWL_WARN_UNUSED_RESULT;
/// Like `-map:`, but runs the handler on a context.
- (TWLPromise *)mapOnContext:(TWLContext *)context
                     handler:(id (^)(ValueType value))handler NS_SWIFT_NAME(map(on:_:)) TWL_WARN_UNUSED_RESULT;
/// Like `-map:`, but runs the handler on a context. If an invalidation of the token suppresses the handler, the promise
/// returned is cancelled.
- (TWLPromise *)mapOnContext:(TWLContext *)context
                       token:(nullable TWLInvalidationToken *)token
                     handler:(id (^)(ValueType value))handler
    NS_SWIFT_NAME(map(on:token:_:)) TWL_WARN_UNUSED_RESULT;

/// Returns a promise for the value, or for the object that a handler returns for the error. If the object is a promise,
/// the promise returned adopts that promise. If the object is `nil`, the promise returned is cancelled.
- (TWLPromise *)recover:(id (^)(ErrorType error))handler TWL_WARN_UNUSED_RESULT;
/// Like `-recover:`, but runs the handler on a context.
- (TWLPromise *)recoverOnContext:(TWLContext *)context
                         handler:(id (^)(ErrorType error))handler
    NS_SWIFT_NAME(recover(on:_:)) TWL_WARN_UNUSED_RESULT;
/// Like `-recover:`, but runs the handler on a context. If an invalidation of the token suppresses the handler, the
/// promise returned is cancelled.
- (TWLPromise *)recoverOnContext:(TWLContext *)context
                           token:(nullable TWLInvalidationToken *)token
                         handler:(id (^)(ErrorType error))handler
    NS_SWIFT_NAME(recover(on:token:_:)) TWL_WARN_UNUSED_RESULT;

/// Returns a promise that adopts the promise that a handler returns. The handler runs for every result. For a cancelled
/// promise, both arguments of the handler are `nil`.
- (TWLPromise *)always:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    TWL_WARN_UNUSED_RESULT;
/// Like `-always:`, but runs the handler on a context.
- (TWLPromise *)alwaysOnContext:(TWLContext *)context
                        handler:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(always(on:_:)) TWL_WARN_UNUSED_RESULT;
/// Like `-always:`, but runs the handler on a context. If an invalidation of the token suppresses the handler, the
/// promise returned is cancelled.
- (TWLPromise *)alwaysOnContext:(TWLContext *)context
                          token:(nullable TWLInvalidationToken *)token
                        handler:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(always(on:token:_:)) TWL_WARN_UNUSED_RESULT;

@end

// A promise that several observers share.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Propagating)

/// Returns a promise with the same result. When all children of the new promise have requested cancellation, the new
/// promise passes the request on to this promise, even while references to the new promise exist.
///
/// @param cancelRequested The block that is called on the context with the new promise, directly before a request is
/// passed on. The request comes from all children of the new promise, or is made for the new promise itself.
- (TWLPromise<ValueType, ErrorType> *)
    propagatingCancellationOnContext:(TWLContext *)context
              cancelRequestedHandler:(void (^)(TWLPromise<ValueType, ErrorType> *promise))cancelRequested
    NS_SWIFT_NAME(propagatingCancellation(on:cancelRequested:));
@end

/// An object that accepts requests to cancel.
@protocol TWLCancellable <NSObject>
/// Requests cancellation. If there is nothing left to cancel, the request has no effect.
- (void)requestCancel;
@end

NS_ASSUME_NONNULL_END
