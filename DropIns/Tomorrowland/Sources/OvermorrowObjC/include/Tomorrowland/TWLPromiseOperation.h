// An operation whose work produces a promise.

#import <Tomorrowland/TWLAsyncOperation.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
@class TWLResolver<ValueType, ErrorType>;

NS_ASSUME_NONNULL_BEGIN

/// An operation that runs a handler when the operation is started. The operation finishes when the property `promise`
/// is resolved.
///
/// If the operation is cancelled, the cancellation of the promise is requested. If the cancellation of the promise is
/// requested, the operation is cancelled. An operation that is cancelled before it has started does not run its
/// handler. If an operation is deallocated before it has started, the promise is cancelled.
NS_SWIFT_NAME(ObjCPromiseOperation)
@interface TWLPromiseOperation<__covariant ValueType, __covariant ErrorType> : TWLAsyncOperation {
@private
  id _promise;
  id _start;
  id _reference;
}

/// The promise of the work. The promise can be observed before the work has begun.
///
/// When a handler of the promise runs, the operation has already finished or been deallocated. When all children of the
/// promise have requested cancellation, the operation is cancelled.
@property (atomic, readonly) TWLPromise<ValueType, ErrorType> *promise;

/// See `-initOnContext:handler:`.
+ (instancetype)newOnContext:(TWLContext *)context
                     handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_UNAVAILABLE("use init(on:_:)");
/// Creates an operation that runs a handler on a context when the operation is started. On `immediate`, the handler
/// runs on the thread that starts the operation. On a `now or` context, the handler runs on the context that was passed
/// to `+nowOrContext:`.
- (instancetype)initOnContext:(TWLContext *)context
                      handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
