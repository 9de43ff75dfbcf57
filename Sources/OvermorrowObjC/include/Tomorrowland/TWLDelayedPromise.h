// A promise whose work starts when the promise is first read.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
@class TWLResolver<ValueType, ErrorType>;
struct ovm_delayed;

NS_ASSUME_NONNULL_BEGIN

/// A promise whose work starts when the promise is first read, and is never done if it is never read.
@interface TWLDelayedPromise<ValueType, ErrorType> : NSObject {
@private
  struct ovm_delayed *_delayed;
  id _promise;
}

/// The promise, the same object on every read. The first read starts the work.
@property (atomic, readonly) TWLPromise<ValueType, ErrorType> *promise;

/// See `-initOnContext:handler:`.
+ (instancetype)newOnContext:(TWLContext *)context
                     handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_UNAVAILABLE("use init(on:_:)");
/// Creates a delayed promise whose handler runs on a context when `promise` is first read. A `nowOrContext:` means the
/// context inside it.
- (instancetype)initOnContext:(TWLContext *)context
                      handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
