// A promise whose work starts when the promise is first read.

#import <Tomorrowland/TWLMacros.h>

@class TWLContext;
@class TWLPromise<ValueType, ErrorType>;
@class TWLResolver<ValueType, ErrorType>;
struct ovm_delayed;

NS_ASSUME_NONNULL_BEGIN

/// A promise whose work starts when the property `promise` is first read. If the property is never read, the work never
/// starts.
@interface TWLDelayedPromise<ValueType, ErrorType> : NSObject {
@private
  struct ovm_delayed *_delayed;
  id _promise;
}

/// The promise. Each read returns the same object. The first read starts the work.
@property (atomic, readonly) TWLPromise<ValueType, ErrorType> *promise;

/// See `-initOnContext:handler:`.
+ (instancetype)newOnContext:(TWLContext *)context
                     handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_UNAVAILABLE("use init(on:_:)");
/// Creates a delayed promise whose handler runs on a context when `promise` is first read. If the context is a `now or`
/// context, the handler runs on the context that was passed to `+nowOrContext:`.
- (instancetype)initOnContext:(TWLContext *)context
                      handler:(void (^)(TWLResolver<ValueType, ErrorType> *resolver))handler
    NS_SWIFT_NAME(init(on:_:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
