#if __has_include(<Foundation/Foundation.h>)

#import "TWLWeakReference.h"

/// The objects that an operation needs to start. The start of the operation releases the objects. If the operation
/// is never started, the objects are released with the operation, and the promise is cancelled.
@interface TWLOperationStart : NSObject {
@private
  ovm_resolver *_resolver;
  ovm_context *_context;
  void *_block;
}
@end

static void TWLRunOperation(void *context, ovm_resolver *resolver);

@implementation TWLOperationStart

- (instancetype)initWithTWLResolver:(ovm_resolver *)resolver context:(ovm_context *)context block:(void *)block {
  self = [super init];
  if (self) {
    _resolver = resolver;
    _context = ovm_context_retain(context);
    _block = block;
  }
  return self;
}

- (void)dealloc {
  // The operation was never started, or an executor has dropped the block.
  if (_resolver) {
    ovm_resolver_cancel(_resolver);
    ovm_resolver_release(_resolver);
  }
  ovm_context_release(_context);
  if (_block) TWLReleaseBlock(_block);
  TWL_DEALLOC_SUPER();
}

- (void)twl_cancel {
  ovm_resolver_cancel(_resolver);
}

/// Calls the block with the resolver of the operation's promise, so that a request reaches the block while it runs.
- (void)twl_call {
  ovm_resolver *resolver = _resolver;
  void *block = _block;
  _resolver = NULL;
  _block = NULL;
  TWLCallWithResolver(block, resolver);
  TWLReleaseBlock(block);
  ovm_resolver_release(resolver);
}

- (void)twl_run {
  // The delayed promise only runs the block. Therefore, if the context is a `now or` context, the block runs on the
  // context that was passed to `+nowOrContext:`.
  ovm_delayed *delayed = ovm_delayed_create(_context, TWLRunOperation, TWLRetainedPointer(self), TWLReleaseObject);
  ovm_promise_release(ovm_delayed_promise(delayed));
  ovm_delayed_release(delayed);
}

@end

static void TWLRunOperation(void *context, ovm_resolver *resolver) {
  ovm_resolver_cancel(resolver);
  [(__bridge TWLOperationStart *)context twl_call];
}

static void TWLCancelOperation(void *context, ovm_resolver *resolver) {
  (void)resolver;
  @autoreleasepool {
    [(NSOperation *)[(__bridge TWLWeakReference *)context twl_object] cancel];
  }
}

static void TWLFinishOperation(void *context, ovm_outcome outcome, void *object) {
  (void)outcome, (void)object;
  @autoreleasepool {
    [(TWLAsyncOperation *)[(__bridge TWLWeakReference *)context twl_object] twl_finish];
  }
}

@implementation TWLPromiseOperation

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
  if (!self) return nil;
  ovm_context *immediate = ovm_context_create(OVM_IMMEDIATE);
  ovm_resolver *resolver = NULL;
  ovm_promise *promise = ovm_promise_create(&resolver);
  // For readers of `promise`, the operation owns a reference to the promise. That reference must not keep the promise
  // from receiving a request that all children have made.
  ovm_promise_forward_requests_while_held(promise);
  _reference = [[TWLWeakReference alloc] initWithTWLObject:self];
  ovm_resolver_on_cancel_request(
      resolver, immediate, TWLCancelOperation, TWLRetainedPointer(_reference), TWLReleaseObject);
  // This observer is the first, so the operation is finished when later observers run. The promise is resolved before
  // the operation is finished, so dependent operations find the result.
  ovm_promise_tap(promise, immediate, NULL, TWLFinishOperation, TWLRetainedPointer(_reference), TWLReleaseObject);
  _promise = [[TWLPromise alloc] initWithHandle:promise];
  void *block = _Block_copy((__bridge const void *)handler);
  _start = [[TWLOperationStart alloc] initWithTWLResolver:resolver context:[context twl_handle] block:block];
  ovm_promise_release(promise);
  ovm_context_release(immediate);
  return self;
}

- (void)dealloc {
  TWL_RELEASE(_start);
  TWL_RELEASE(_promise);
  TWL_RELEASE(_reference);
  TWL_DEALLOC_SUPER();
}

TWL_RELEASE_WITH(_reference)

- (TWLPromise *)promise {
  return _promise;
}

- (void)start {
  TWLOperationStart *start;
  @synchronized(self) {
    start = TWL_AUTORELEASE(TWL_RETAIN(_start));
    TWL_RELEASE(_start);
    _start = nil;
  }
  if (!start) return;
  if ([self isCancelled]) {
    [start twl_cancel];
  } else {
    [self twl_begin];
    [start twl_run];
  }
}

- (void)cancel {
  [super cancel];
  [_promise requestCancel];
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
