#if __has_include(<Foundation/Foundation.h>)

#import "TWLWeakReference.h"

/// A promise that `propagatingCancellation` has returned. While this object exists, the handler of that method receives
/// this object. Afterwards the handler receives a new object for the same promise. The registered handler does not
/// retain this object.
@interface TWLPropagatingPromise : TWLPromise {
@private
  TWLWeakReference *_reference;
}
@end

@implementation TWLPropagatingPromise

- (instancetype)initWithHandle:(struct ovm_promise *)handle {
  self = [super initWithHandle:handle];
  if (self) _reference = [[TWLWeakReference alloc] initWithTWLObject:self];
  return self;
}

- (void)dealloc {
  TWL_RELEASE(_reference);
  TWL_DEALLOC_SUPER();
}

TWL_RELEASE_WITH(_reference)

- (TWLWeakReference *)twl_reference {
  return _reference;
}

@end

/// The state of the callback: the block, and a weak reference to the promise. The reference is set last, because the
/// promise is created after the callback.
@interface TWLPropagation : NSObject {
@private
  void *_block;
  TWLWeakReference *_reference;
}
@end

@implementation TWLPropagation

- (instancetype)initWithTWLBlock:(void *)block {
  self = [super init];
  if (self) _block = block;
  return self;
}

- (void)dealloc {
  TWLReleaseBlock(_block);
  TWL_RELEASE(_reference);
  TWL_DEALLOC_SUPER();
}

- (void)twl_setReference:(TWLWeakReference *)reference {
  @synchronized(self) {
    _reference = TWL_RETAIN(reference);
  }
}

- (void)twl_callWithHandle:(ovm_promise *)handle {
  TWLWeakReference *reference;
  @synchronized(self) {
    reference = _reference;
  }
  TWLPromise *promise = [reference twl_object] ?: TWLPromiseOf(ovm_promise_retain(handle));
  TWL_BLOCK_OF(void (^)(TWLPromise *), _block)(promise);
}

@end

static void TWLCallPropagation(void *context, ovm_promise *handle) {
  @autoreleasepool {
    [(__bridge TWLPropagation *)context twl_callWithHandle:handle];
  }
}

@implementation TWLPromise (Propagating)

- (TWLPromise *)propagatingCancellationOnContext:(TWLContext *)context
                          cancelRequestedHandler:(void (^)(TWLPromise<id, id> *))cancelRequested {
  void *block = _Block_copy((__bridge const void *)cancelRequested);
  TWLPropagation *propagation = [[TWLPropagation alloc] initWithTWLBlock:block];
  ovm_promise *handle = ovm_promise_propagating_cancellation(
      self.handle, [context twl_handle], TWLCallPropagation, TWLRetainedPointer(propagation), TWLReleaseObject);
  TWLPropagatingPromise *promise = [[TWLPropagatingPromise alloc] initWithHandle:handle];
  ovm_promise_release(handle);
  [propagation twl_setReference:[promise twl_reference]];
  TWL_RELEASE(propagation);
  return TWL_AUTORELEASE(promise);
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
