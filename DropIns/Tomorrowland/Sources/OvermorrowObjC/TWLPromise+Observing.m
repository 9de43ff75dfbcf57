#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

/// Calls a block with the value or the error.
static void TWLObserve(void *context, ovm_outcome outcome, void *object) {
  (void)outcome;
  @autoreleasepool {
    TWL_BLOCK_OF(void (^)(id), context)((__bridge id)object);
  }
}

/// Calls a block with the value and the error, of which at most one is not `nil`.
static void TWLInspect(void *context, ovm_outcome outcome, void *object) {
  @autoreleasepool {
    id result = (__bridge id)object;
    TWL_BLOCK_OF(void (^)(id, id), context)(
        outcome == OVM_FULFILLED ? result : nil, outcome == OVM_REJECTED ? result : nil);
  }
}

/// Calls a block without any argument.
static void TWLNotify(void *context, ovm_outcome outcome, void *object) {
  (void)outcome, (void)object;
  @autoreleasepool {
    TWL_BLOCK_OF(void (^)(void), context)();
  }
}

@implementation TWLPromise (Observing)

- (TWLPromise *)then:(void (^)(id))handler {
  return [self thenOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)thenOnContext:(TWLContext *)context handler:(void (^)(id))handler {
  return [self thenOnContext:context token:nil handler:handler];
}

- (TWLPromise *)thenOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(void (^)(id))handler {
  return TWLPromiseOf(ovm_promise_then(_handle, [context twl_handle], token.handle, TWLObserve, TWL_BLOCK(handler)));
}

- (TWLPromise *)catch:(void (^)(id))handler {
  return [self catchOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)catchOnContext:(TWLContext *)context handler:(void (^)(id))handler {
  return [self catchOnContext:context token:nil handler:handler];
}

- (TWLPromise *)catchOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(void (^)(id))handler {
  return TWLPromiseOf(ovm_promise_catch(_handle, [context twl_handle], token.handle, TWLObserve, TWL_BLOCK(handler)));
}

- (TWLPromise *)inspect:(void (^)(id, id))handler {
  return [self inspectOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)inspectOnContext:(TWLContext *)context handler:(void (^)(id, id))handler {
  return [self inspectOnContext:context token:nil handler:handler];
}

- (TWLPromise *)inspectOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(void (^)(id, id))handler {
  return TWLPromiseOf(ovm_promise_always(_handle, [context twl_handle], token.handle, TWLInspect, TWL_BLOCK(handler)));
}

- (TWLPromise *)tap:(void (^)(id, id))handler {
  return [self tapOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)tapOnContext:(TWLContext *)context handler:(void (^)(id, id))handler {
  return [self tapOnContext:context token:nil handler:handler];
}

- (TWLPromise *)tapOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(void (^)(id, id))handler {
  ovm_promise_tap(_handle, [context twl_handle], token.handle, TWLInspect, TWL_BLOCK(handler));
  return self;
}

- (TWLPromise *)tap {
  return TWLPromiseOf(ovm_promise_tapped(_handle));
}

- (TWLPromise *)whenCancelled:(void (^)(void))handler {
  return [self whenCancelledOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)whenCancelledOnContext:(TWLContext *)context handler:(void (^)(void))handler {
  return [self whenCancelledOnContext:context token:nil handler:handler];
}

- (TWLPromise *)whenCancelledOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(void (^)(void))handler {
  return TWLPromiseOf(ovm_promise_on_cancel(_handle, [context twl_handle], token.handle, TWLNotify, TWL_BLOCK(handler)));
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
