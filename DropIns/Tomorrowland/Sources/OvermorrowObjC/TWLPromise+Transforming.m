#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

/// Runs a handler of `map` or `recover`, and returns the promise to adopt. If the handler returns a promise, that
/// promise is adopted. If the handler returns `nil`, a cancelled promise is adopted. If the handler returns any other
/// object, a promise that is fulfilled with the object is adopted.
static ovm_promise *TWLAdoptAnything(void *context, ovm_outcome outcome, void *object) {
  (void)outcome;
  @autoreleasepool {
    id made = TWL_BLOCK_OF(id (^)(id), context)((__bridge id)object);
    if (!made) return NULL;
    if ([made isKindOfClass:[TWLPromise class]]) return ovm_promise_retain(((TWLPromise *)made).handle);
    return ovm_promise_create_resolved(OVM_FULFILLED, TWLObject(made));
  }
}

/// Runs a handler of `always`, and returns the promise that the handler returns.
static ovm_promise *TWLAdoptPromise(void *context, ovm_outcome outcome, void *object) {
  @autoreleasepool {
    id result = (__bridge id)object;
    TWLPromise *made = TWL_BLOCK_OF(TWLPromise * (^)(id, id), context)(
        outcome == OVM_FULFILLED ? result : nil, outcome == OVM_REJECTED ? result : nil);
    return made ? ovm_promise_retain(made.handle) : NULL;
  }
}

@implementation TWLPromise (Transforming)

- (TWLPromise *)map:(id (^)(id))handler {
  return [self mapOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)mapOnContext:(TWLContext *)context handler:(id (^)(id))handler {
  return [self mapOnContext:context token:nil handler:handler];
}

- (TWLPromise *)mapOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(id (^)(id))handler {
  return TWLPromiseOf(ovm_promise_flat_map(_handle, [context twl_handle], token.handle, TWLAdoptAnything, TWL_BLOCK(handler)));
}

- (TWLPromise *)recover:(id (^)(id))handler {
  return [self recoverOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)recoverOnContext:(TWLContext *)context handler:(id (^)(id))handler {
  return [self recoverOnContext:context token:nil handler:handler];
}

- (TWLPromise *)recoverOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(id (^)(id))handler {
  return TWLPromiseOf(ovm_promise_flat_map_error(_handle, [context twl_handle], token.handle, TWLAdoptAnything, TWL_BLOCK(handler)));
}

- (TWLPromise *)always:(TWLPromise * (^)(id, id))handler {
  return [self alwaysOnContext:TWLContext.automatic token:nil handler:handler];
}

- (TWLPromise *)alwaysOnContext:(TWLContext *)context handler:(TWLPromise * (^)(id, id))handler {
  return [self alwaysOnContext:context token:nil handler:handler];
}

- (TWLPromise *)alwaysOnContext:(TWLContext *)context
    token:(TWLInvalidationToken *)token
  handler:(TWLPromise * (^)(id, id))handler {
  return TWLPromiseOf(ovm_promise_flat_map_result(_handle, [context twl_handle], token.handle, TWLAdoptPromise, TWL_BLOCK(handler)));
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
