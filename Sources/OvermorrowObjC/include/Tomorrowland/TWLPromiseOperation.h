// An operation whose work produces a promise.

#import <Tomorrowland/TWLAsyncOperation.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
@class TWLResolver<ValueType, ErrorType>;

NS_ASSUME_NONNULL_BEGIN

/// An operation that runs a handler when it is started, and is finished when the promise of that is resolved.
///
/// Cancelling the operation asks the promise to cancel, and the other way round. An operation that is cancelled before
/// it has started does not run its handler; one that is deallocated before cancels its promise.
NS_SWIFT_NAME(ObjCPromiseOperation)
@interface TWLPromiseOperation<__covariant ValueType, __covariant ErrorType> : TWLAsyncOperation {
@private
  id _promise;
  id _start;
  id _reference;
}

/// What the work produces. It can be observed before the work has begun.
///
/// The operation is finished by the time a handler runs. When all of the promise's children have asked to cancel, the
/// operation is cancelled.
@property (atomic, readonly) TWLPromise<ValueType, ErrorType> *promise;

/// See `-initOnContext:handler:`.
+ (instancetype)newOnContext:(TWLContext *)context
                     handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_UNAVAILABLE("use init(on:_:)");
/// An operation that runs a handler on a context when it is started; `immediate` is where the operation is started, and
/// `nowOr` means the context inside.
- (instancetype)initOnContext:(TWLContext *)context
                      handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
