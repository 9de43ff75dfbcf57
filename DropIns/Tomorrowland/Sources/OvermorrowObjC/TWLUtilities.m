#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

/// Creates the error of a promise that has a timeout.
static ovm_object TWLWrapError(void *context, bool isTimedOut, void *error) {
  (void)context;
  @autoreleasepool {
    TWLTimeoutError *made = isTimedOut ? [[TWLTimeoutError alloc] initTimedOut]
                                       : [[TWLTimeoutError alloc] initWithRejectedError:(__bridge id)error];
    return TWLObject(TWL_AUTORELEASE(made));
  }
}

@implementation TWLPromise (Utilities)

- (instancetype)initWithTWLOutcome:(ovm_outcome)outcome
                            object:(id)object
                         onContext:(TWLContext *)context
                        afterDelay:(NSTimeInterval)delay {
  ovm_promise *handle = ovm_promise_create_after([context twl_handle], outcome, TWLObject(object), delay);
  self = [self initWithHandle:handle];
  ovm_promise_release(handle);
  return self;
}

+ (instancetype)newFulfilledWithValue:(id)value afterDelay:(NSTimeInterval)delay {
  return [[self alloc] initFulfilledWithValue:value afterDelay:delay];
}

+ (instancetype)newFulfilledOnContext:(TWLContext *)context withValue:(id)value afterDelay:(NSTimeInterval)delay {
  return [[self alloc] initFulfilledOnContext:context withValue:value afterDelay:delay];
}

- (instancetype)initFulfilledWithValue:(id)value afterDelay:(NSTimeInterval)delay {
  return [self initFulfilledOnContext:TWLContext.automatic withValue:value afterDelay:delay];
}

- (instancetype)initFulfilledOnContext:(TWLContext *)context withValue:(id)value afterDelay:(NSTimeInterval)delay {
  return [self initWithTWLOutcome:value ? OVM_FULFILLED : OVM_CANCELLED object:value onContext:context afterDelay:delay];
}

+ (instancetype)newRejectedWithError:(id)error afterDelay:(NSTimeInterval)delay {
  return [[self alloc] initRejectedWithError:error afterDelay:delay];
}

+ (instancetype)newRejectedOnContext:(TWLContext *)context withError:(id)error afterDelay:(NSTimeInterval)delay {
  return [[self alloc] initRejectedOnContext:context withError:error afterDelay:delay];
}

- (instancetype)initRejectedWithError:(id)error afterDelay:(NSTimeInterval)delay {
  return [self initRejectedOnContext:TWLContext.automatic withError:error afterDelay:delay];
}

- (instancetype)initRejectedOnContext:(TWLContext *)context withError:(id)error afterDelay:(NSTimeInterval)delay {
  return [self initWithTWLOutcome:error ? OVM_REJECTED : OVM_CANCELLED object:error onContext:context afterDelay:delay];
}

+ (instancetype)newCancelledAfterDelay:(NSTimeInterval)delay {
  return [[self alloc] initCancelledAfterDelay:delay];
}

+ (instancetype)newCancelledOnContext:(TWLContext *)context afterDelay:(NSTimeInterval)delay {
  return [[self alloc] initCancelledOnContext:context afterDelay:delay];
}

- (instancetype)initCancelledAfterDelay:(NSTimeInterval)delay {
  return [self initCancelledOnContext:TWLContext.automatic afterDelay:delay];
}

- (instancetype)initCancelledOnContext:(TWLContext *)context afterDelay:(NSTimeInterval)delay {
  return [self initWithTWLOutcome:OVM_CANCELLED object:nil onContext:context afterDelay:delay];
}

- (TWLPromise *)delay:(NSTimeInterval)delay {
  return [self delay:delay onContext:TWLContext.automatic];
}

- (TWLPromise *)delay:(NSTimeInterval)delay onContext:(TWLContext *)context {
  return TWLPromiseOf(ovm_promise_delay(_handle, [context twl_handle], delay));
}

- (TWLPromise *)timeoutWithDelay:(NSTimeInterval)delay {
  return [self timeoutOnContext:[TWLContext nowOrContext:TWLContext.automatic] withDelay:delay];
}

- (TWLPromise *)timeoutOnContext:(TWLContext *)context withDelay:(NSTimeInterval)delay {
  return TWLPromiseOf(ovm_promise_timeout(_handle, [context twl_handle], delay, TWLWrapError, NULL, NULL));
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
