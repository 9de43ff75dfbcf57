// An operation whose work produces a promise.

#import <Tomorrowland/TWLAsyncOperation.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
@class TWLResolver<ValueType, ErrorType>;

NS_ASSUME_NONNULL_BEGIN

/// An operation that runs a handler when it is started, and finishes when the promise of that handler is resolved.
///
/// Cancelling the operation requests the cancellation of the promise, and a request to the promise cancels the
/// operation. An operation that is cancelled before it has started does not run its handler. An operation that is
/// deallocated before it has started cancels its promise.
NS_SWIFT_NAME(ObjCPromiseOperation)
@interface TWLPromiseOperation<__covariant ValueType, __covariant ErrorType> : TWLAsyncOperation {
@private
  id _promise;
  id _start;
  id _reference;
}

/// The promise of the work. It can be observed before the work has begun.
///
/// When a handler of the promise runs, the operation has already finished. When all children of the promise have
/// requested cancellation, the operation is cancelled.
@property (atomic, readonly) TWLPromise<ValueType, ErrorType> *promise;

/// See `-initOnContext:handler:`.
+ (instancetype)newOnContext:(TWLContext *)context
                     handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_UNAVAILABLE("use init(on:_:)");
/// Creates an operation that runs a handler on a context when it is started. `immediate` means the thread that starts
/// the operation, and `nowOr` means the context inside it.
- (instancetype)initOnContext:(TWLContext *)context
                      handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
