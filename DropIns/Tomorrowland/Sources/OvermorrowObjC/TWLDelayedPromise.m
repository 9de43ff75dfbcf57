#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

@implementation TWLDelayedPromise

+ (instancetype)newOnContext:(TWLContext *)context handler:(void (^)(TWLResolver<id, id> *))handler {
  return [[self alloc] initOnContext:context handler:handler];
}

- (instancetype)init {
  return [self initOnContext:TWLContext.immediate
                     handler:^(TWLResolver *resolver) {
                       [resolver cancel];
                     }];
}

- (instancetype)initOnContext:(TWLContext *)context handler:(void (^)(TWLResolver<id, id> *))handler {
  self = [super init];
  if (self) _delayed = ovm_delayed_create([context twl_handle], TWLCallWithResolver, TWL_BLOCK(handler));
  return self;
}

- (void)dealloc {
  if (_delayed) ovm_delayed_release(_delayed);
  TWL_RELEASE(_promise);
  TWL_DEALLOC_SUPER();
}

- (TWLPromise *)promise {
  @synchronized(self) {
    if (_promise) return _promise;
  }
  // `ovm_delayed_promise` is called outside the lock, because its first call may run the handler, and the handler may
  // read `promise`.
  TWLPromise *promise = TWLPromiseOf(ovm_delayed_promise(_delayed));
  @synchronized(self) {
    if (!_promise) _promise = TWL_RETAIN(promise);
    return _promise;
  }
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
