// The promise.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLInvalidationToken;
@class TWLResolver<ValueType, ErrorType>;
@protocol TWLCancellable;
struct ovm_promise;

NS_ASSUME_NONNULL_BEGIN

/// The result of work that may still be going on, to be observed by any number of handlers, and cancelled by vote.
///
/// Observers (`then`, `catch`, `inspect`, `whenCancelled`) return a new promise with the same result, which is resolved
/// after the handler has finished. Transforms (`map`, `recover`, `always`) return one for what the handler returns.
/// Handlers of one promise run, or are handed to their contexts, in the order in which they were registered. Without a
/// context they run on `TWLContext.automatic`. A token suppresses its handlers when it is invalidated.
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
/// A promise that a block produces on a context. It is cancelled when the last copy of the resolver goes unused.
- (instancetype)initOnContext:(TWLContext *)context
                    withBlock:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))block
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;
/// A fulfilled promise; `nil` makes a cancelled one.
- (instancetype)initFulfilledWithValue:(ValueType)value NS_SWIFT_NAME(init(fulfilled:)) NS_DESIGNATED_INITIALIZER;
/// A rejected promise; `nil` makes a cancelled one.
- (instancetype)initRejectedWithError:(ErrorType)error NS_SWIFT_NAME(init(rejected:)) NS_DESIGNATED_INITIALIZER;
/// A cancelled promise.
- (instancetype)initCancelled NS_SWIFT_UNAVAILABLE("Use .makeCancelled()") NS_DESIGNATED_INITIALIZER;
/// An unresolved promise, and what resolves it.
- (instancetype)initWithResolver:(TWLResolver<ValueType, ErrorType> *__strong _Nullable *_Nonnull)outResolver
    NS_DESIGNATED_INITIALIZER;
/// The promise behind a handle of the C interface, `ovm_promise *`, which is borrowed. Its objects must be objects.
- (instancetype)initWithHandle:(struct ovm_promise *)handle NS_SWIFT_NAME(init(handle:)) NS_DESIGNATED_INITIALIZER;

/// Whether the promise is resolved; if so, its value or its error. Both are `nil` if it is cancelled or unresolved.
- (BOOL)getValue:(ValueType __strong _Nullable *_Nullable)outValue
           error:(ErrorType __strong _Nullable *_Nullable)outError;

/// A promise with the same result, and a vote of its own on cancelling this one.
- (TWLPromise<ValueType, ErrorType> *)makeChild;
/// A promise with the same result that never passes a request to cancel on, and keeps others from it.
- (TWLPromise<ValueType, ErrorType> *)ignoringCancel TWL_WARN_UNUSED_RESULT;

/// Asks the promise to cancel; does nothing if it is resolved.
- (void)requestCancel;
/// Asks the promise to cancel at the next invalidation of a token, which does not keep it. Returns this promise.
- (TWLPromise<ValueType, ErrorType> *)requestCancelOnInvalidate:(TWLInvalidationToken *)token;
/// Asks the promise to cancel when an object is deallocated, which is not kept alive. Returns this promise.
- (TWLPromise<ValueType, ErrorType> *)requestCancelOnDealloc:(id)object;
/// A way to ask the promise to cancel that keeps neither it, nor its result, nor its handlers.
@property (atomic, readonly, nonnull) id<TWLCancellable> cancellable;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

// What looks at the result.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Observing)

/// Calls a handler with the value.
- (TWLPromise<ValueType, ErrorType> *)then:(void (^)(ValueType value))handler;
/// Calls a handler with the value, on a context.
- (TWLPromise<ValueType, ErrorType> *)thenOnContext:(TWLContext *)context
                                            handler:(void (^)(ValueType value))handler NS_SWIFT_NAME(then(on:_:));
/// Calls a handler with the value, on a context, unless the token is invalidated before.
- (TWLPromise<ValueType, ErrorType> *)thenOnContext:(TWLContext *)context
                                              token:(nullable TWLInvalidationToken *)token
                                            handler:(void (^)(ValueType value))handler
    NS_SWIFT_NAME(then(on:token:_:));

/// Calls a handler with the error.
- (TWLPromise<ValueType, ErrorType> *)catch:(void (^)(ErrorType error))handler;
/// Calls a handler with the error, on a context.
- (TWLPromise<ValueType, ErrorType> *)catchOnContext:(TWLContext *)context
                                             handler:(void (^)(ErrorType error))handler NS_SWIFT_NAME(catch(on:_:));
/// Calls a handler with the error, on a context, unless the token is invalidated before.
- (TWLPromise<ValueType, ErrorType> *)catchOnContext:(TWLContext *)context
                                               token:(nullable TWLInvalidationToken *)token
                                             handler:(void (^)(ErrorType error))handler
    NS_SWIFT_NAME(catch(on:token:_:));

/// Calls a handler with the value or the error, or with two `nil` for a cancelled promise.
- (TWLPromise<ValueType, ErrorType> *)inspect:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler;
/// As `-inspect:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)
    inspectOnContext:(TWLContext *)context
             handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(inspect(on:_:));
/// As `-inspect:`, on a context, unless the token is invalidated before.
- (TWLPromise<ValueType, ErrorType> *)
    inspectOnContext:(TWLContext *)context
               token:(nullable TWLInvalidationToken *)token
             handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(inspect(on:token:_:));

/// As `-inspect:`, without taking part in cancellation; returns this promise, which does not wait for the handler.
- (TWLPromise<ValueType, ErrorType> *)tap:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler;
/// As `-tap:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)
    tapOnContext:(TWLContext *)context
         handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler NS_SWIFT_NAME(tap(on:_:));
/// As `-tap:`, on a context, unless the token is invalidated before.
- (TWLPromise<ValueType, ErrorType> *)
    tapOnContext:(TWLContext *)context
           token:(nullable TWLInvalidationToken *)token
         handler:(void (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(tap(on:token:_:));
/// A promise with the same result that takes no part in the cancellation of this one.
- (TWLPromise<ValueType, ErrorType> *)tap;

/// Calls a handler when the promise is cancelled. It keeps no other observer from cancelling the promise.
- (TWLPromise<ValueType, ErrorType> *)whenCancelled:(void (^)(void))handler NS_SWIFT_NAME(onCancel(_:));
/// As `-whenCancelled:`, on a context.
- (TWLPromise<ValueType, ErrorType> *)whenCancelledOnContext:(TWLContext *)context
                                                     handler:(void (^)(void))handler
    NS_SWIFT_NAME(onCancel(on:_:));
/// As `-whenCancelled:`, on a context, unless the token is invalidated before.
- (TWLPromise<ValueType, ErrorType> *)whenCancelledOnContext:(TWLContext *)context
                                                       token:(nullable TWLInvalidationToken *)token
                                                     handler:(void (^)(void))handler
    NS_SWIFT_NAME(onCancel(on:token:_:));

@end

// What makes something else of the result.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Transforming)

/// A promise for what a handler makes of the value; a promise that it returns is adopted.
- (TWLPromise *)map:(id (^)(ValueType value))handler TWL_WARN_UNUSED_RESULT;
/// As `-map:`, on a context.
- (TWLPromise *)mapOnContext:(TWLContext *)context
                     handler:(id (^)(ValueType value))handler NS_SWIFT_NAME(map(on:_:)) TWL_WARN_UNUSED_RESULT;
/// As `-map:`, on a context; cancelled if the token is invalidated before.
- (TWLPromise *)mapOnContext:(TWLContext *)context
                       token:(nullable TWLInvalidationToken *)token
                     handler:(id (^)(ValueType value))handler
    NS_SWIFT_NAME(map(on:token:_:)) TWL_WARN_UNUSED_RESULT;

/// A promise for the value, or for what a handler makes of the error; a promise that it returns is adopted.
- (TWLPromise *)recover:(id (^)(ErrorType error))handler TWL_WARN_UNUSED_RESULT;
/// As `-recover:`, on a context.
- (TWLPromise *)recoverOnContext:(TWLContext *)context
                         handler:(id (^)(ErrorType error))handler
    NS_SWIFT_NAME(recover(on:_:)) TWL_WARN_UNUSED_RESULT;
/// As `-recover:`, on a context; cancelled if the token is invalidated before.
- (TWLPromise *)recoverOnContext:(TWLContext *)context
                           token:(nullable TWLInvalidationToken *)token
                         handler:(id (^)(ErrorType error))handler
    NS_SWIFT_NAME(recover(on:token:_:)) TWL_WARN_UNUSED_RESULT;

/// A promise that adopts the one that a handler makes of the result; of a cancelled promise it gets two `nil`.
- (TWLPromise *)always:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    TWL_WARN_UNUSED_RESULT;
/// As `-always:`, on a context.
- (TWLPromise *)alwaysOnContext:(TWLContext *)context
                        handler:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(always(on:_:)) TWL_WARN_UNUSED_RESULT;
/// As `-always:`, on a context; cancelled if the token is invalidated before.
- (TWLPromise *)alwaysOnContext:(TWLContext *)context
                          token:(nullable TWLInvalidationToken *)token
                        handler:(TWLPromise *_Nonnull (^)(ValueType _Nullable value, ErrorType _Nullable error))handler
    NS_SWIFT_NAME(always(on:token:_:)) TWL_WARN_UNUSED_RESULT;

@end

// What shares one promise among many.
@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Propagating)

/// A promise with the same result that may be held without keeping its children from cancelling.
///
/// @param cancelRequested Called on the context, with the new promise, right before a request of all its children is
/// passed on.
- (TWLPromise<ValueType, ErrorType> *)
    propagatingCancellationOnContext:(TWLContext *)context
              cancelRequestedHandler:(void (^)(TWLPromise<ValueType, ErrorType> *promise))cancelRequested
    NS_SWIFT_NAME(propagatingCancellation(on:cancelRequested:));
@end

/// Something that can be asked to cancel.
@protocol TWLCancellable <NSObject>
/// Asks for cancellation; does nothing when that has no meaning any more.
- (void)requestCancel;
@end

NS_ASSUME_NONNULL_END
