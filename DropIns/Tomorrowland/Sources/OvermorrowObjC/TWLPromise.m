#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

/// An object that requests the cancellation of a promise without retaining the promise.
@interface TWLPromiseCancellable : NSObject <TWLCancellable> {
@private
  ovm_canceller *_handle;
}
@end

@implementation TWLPromiseCancellable

- (instancetype)initWithTWLPromise:(ovm_promise *)promise {
  self = [super init];
  if (self) _handle = ovm_promise_canceller(promise);
  return self;
}

- (void)dealloc {
  ovm_canceller_release(_handle);
  TWL_DEALLOC_SUPER();
}

- (void)requestCancel {
  ovm_canceller_request_cancel(_handle);
}

@end

TWLPromise *TWLPromiseOf(ovm_promise *handle) {
  TWLPromise *promise = [[TWLPromise alloc] initWithHandle:handle];
  ovm_promise_release(handle);
  return TWL_AUTORELEASE(promise);
}

@implementation TWLPromise

+ (instancetype)newOnContext:(TWLContext *)context withBlock:(void (^)(TWLResolver<id, id> *))block {
  return [[self alloc] initOnContext:context withBlock:block];
}

+ (instancetype)newFulfilledWithValue:(id)value {
  return [[self alloc] initFulfilledWithValue:value];
}

+ (instancetype)newRejectedWithError:(id)error {
  return [[self alloc] initRejectedWithError:error];
}

+ (instancetype)newCancelled {
  return [[self alloc] initCancelled];
}

- (instancetype)init {
  return [self initCancelled];
}

- (instancetype)initOnContext:(TWLContext *)context withBlock:(void (^)(TWLResolver<id, id> *))block {
  self = [super init];
  if (self) _handle = ovm_promise_create_on([context twl_handle], TWLCallWithResolver, TWL_BLOCK(block));
  return self;
}

- (instancetype)initFulfilledWithValue:(id)value {
  self = [super init];
  if (self) _handle = ovm_promise_create_resolved(value ? OVM_FULFILLED : OVM_CANCELLED, TWLObject(value));
  return self;
}

- (instancetype)initRejectedWithError:(id)error {
  self = [super init];
  if (self) _handle = ovm_promise_create_resolved(error ? OVM_REJECTED : OVM_CANCELLED, TWLObject(error));
  return self;
}

- (instancetype)initCancelled {
  self = [super init];
  if (self) _handle = ovm_promise_create_resolved(OVM_CANCELLED, TWLObject(nil));
  return self;
}

- (instancetype)initWithResolver:(TWLResolver<id, id> *__strong *)outResolver {
  self = [super init];
  if (self) {
    ovm_resolver *resolver = NULL;
    _handle = ovm_promise_create(&resolver);
    *outResolver = TWL_AUTORELEASE([[TWLResolver alloc] initWithTWLHandle:resolver]);
    ovm_resolver_release(resolver);
  }
  return self;
}

- (instancetype)initWithHandle:(struct ovm_promise *)handle {
  self = [super init];
  if (self) _handle = ovm_promise_retain(handle);
  return self;
}

- (void)dealloc {
  if (_handle) ovm_promise_release(_handle);
  TWL_DEALLOC_SUPER();
}

- (struct ovm_promise *)handle {
  return _handle;
}

/// Returns whether an object is a promise with the same handle.
- (BOOL)isEqual:(id)object {
  return [object isKindOfClass:[TWLPromise class]] && ((TWLPromise *)object).handle == _handle;
}

- (NSUInteger)hash {
  return (NSUInteger)_handle;
}

- (BOOL)getValue:(id __strong *)outValue error:(id __strong *)outError {
  void *object = NULL;
  ovm_outcome outcome = ovm_promise_result(_handle, &object);
  id result = (__bridge id)object;
  if (outValue) *outValue = outcome == OVM_FULFILLED ? TWL_AUTORELEASE(TWL_RETAIN(result)) : nil;
  if (outError) *outError = outcome == OVM_REJECTED ? TWL_AUTORELEASE(TWL_RETAIN(result)) : nil;
  return outcome != OVM_PENDING;
}

- (void)requestCancel {
  ovm_promise_request_cancel(_handle);
}

- (TWLPromise *)requestCancelOnInvalidate:(TWLInvalidationToken *)token {
  [token requestCancelOnInvalidate:self];
  return self;
}

- (TWLPromise *)requestCancelOnDealloc:(id)object {
  [TWLLifetimeToken(object) requestCancelOnInvalidate:self];
  return self;
}

- (TWLPromise *)makeChild {
  return TWLPromiseOf(ovm_promise_make_child(_handle));
}

- (TWLPromise *)ignoringCancel {
  return TWLPromiseOf(ovm_promise_ignoring_cancel(_handle));
}

- (id<TWLCancellable>)cancellable {
  return TWL_AUTORELEASE([[TWLPromiseCancellable alloc] initWithTWLPromise:_handle]);
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
