#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

NSString *const TWLPromiseCallbackErrorDomain = @"Tomorrowland.PromiseCallbackError";

typedef void (^TWLCompletion)(id, id);

/// An object that retains a block until the caller's autorelease pool is drained. A block itself cannot be autoreleased
/// on a runtime where blocks are not objects.
@interface TWLBlockKeeper : NSObject {
@private
  void *_block;
}
@end

@implementation TWLBlockKeeper

- (instancetype)initWithTWLBlock:(void *)block {
  self = [super init];
  if (self) _block = block;
  return self;
}

- (void)dealloc {
  _Block_release(_block);
  TWL_DEALLOC_SUPER();
}

@end

static TWLCompletion TWLAutoreleasedBlock(TWLCompletion block) {
#if __has_feature(objc_arc)
  return block;
#else
  void *copy = _Block_copy(block);
  [[[TWLBlockKeeper alloc] initWithTWLBlock:copy] autorelease];
  return (TWLCompletion)copy;
#endif
}

void TWLCallWithResolver(void *context, ovm_resolver *handle) {
  @autoreleasepool {
    TWLResolver *resolver = [[TWLResolver alloc] initWithTWLHandle:handle];
    TWL_BLOCK_OF(void (^)(TWLResolver *), context)(resolver);
    TWL_RELEASE(resolver);
  }
}

@implementation TWLResolver

- (instancetype)initWithTWLHandle:(ovm_resolver *)handle {
  self = [super init];
  if (self) _handle = ovm_resolver_retain(handle);
  return self;
}

- (void)dealloc {
  if (_handle) ovm_resolver_release(_handle);
  TWL_DEALLOC_SUPER();
}

- (void)fulfillWithValue:(id)value {
  [self resolveWithValue:value error:nil];
}

- (void)rejectWithError:(id)error {
  [self resolveWithValue:nil error:error];
}

- (void)cancel {
  ovm_resolver_cancel(_handle);
}

- (void)resolveWithValue:(id)value error:(id)error {
  if (value) {
    ovm_resolver_fulfill(_handle, TWLObject(value));
  } else if (error) {
    ovm_resolver_reject(_handle, TWLObject(error));
  } else {
    ovm_resolver_cancel(_handle);
  }
}

- (void)resolveWithPromise:(TWLPromise *)promise {
  ovm_resolver_resolve_with(_handle, promise.handle);
}

- (void)whenCancelRequestedOnContext:(TWLContext *)context handler:(void (^)(TWLResolver<id, id> *))handler {
  ovm_resolver_on_cancel_request_while_held(_handle, [context twl_handle], TWLCallWithResolver, TWL_BLOCK(handler));
}

- (BOOL)cancelRequested {
  return ovm_resolver_is_cancel_requested(_handle);
}

- (void (^)(id, id))handleCallback {
  return TWLAutoreleasedBlock(^(id value, id error) {
    if (value || error) {
      [self resolveWithValue:value error:error];
    } else {
      [self rejectWithError:[NSError errorWithDomain:TWLPromiseCallbackErrorDomain
                                                code:TWLPromiseCallbackErrorAPIMismatch
                                            userInfo:nil]];
    }
  });
}

- (void (^)(id, id))handleCallbackWithCancelPredicate:(BOOL (^)(id))predicate {
  TWLCompletion completion = [self handleCallback];
  return TWLAutoreleasedBlock(^(id value, id error) {
    if (!value && error && predicate(error)) {
      [self cancel];
    } else {
      completion(value, error);
    }
  });
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
