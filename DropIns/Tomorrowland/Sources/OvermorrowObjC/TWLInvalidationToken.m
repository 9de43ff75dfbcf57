#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

@implementation TWLInvalidationToken

+ (instancetype)newInvalidateOnDealloc:(BOOL)invalidateOnDealloc {
  return [[self alloc] initInvalidateOnDealloc:invalidateOnDealloc];
}

- (instancetype)init {
  return [self initInvalidateOnDealloc:YES];
}

- (instancetype)initInvalidateOnDealloc:(BOOL)invalidateOnDealloc {
  self = [super init];
  if (self) _handle = ovm_token_create(invalidateOnDealloc);
  return self;
}

- (instancetype)initWithHandle:(struct ovm_token *)handle {
  self = [super init];
  if (self) _handle = ovm_token_retain(handle);
  return self;
}

- (void)dealloc {
  if (_handle) ovm_token_release(_handle);
  TWL_DEALLOC_SUPER();
}

- (struct ovm_token *)handle {
  return _handle;
}

- (void)invalidate {
  ovm_token_invalidate(_handle);
}

- (void)cancelWithoutInvalidating {
  ovm_token_cancel_without_invalidating(_handle);
}

- (void)requestCancelOnInvalidate:(TWLPromise *)promise {
  ovm_token_request_cancel_on_invalidate(_handle, promise.handle);
}

- (void)chainInvalidationFromToken:(TWLInvalidationToken *)token {
  [self chainInvalidationFromToken:token includingCancelWithoutInvalidating:YES];
}

- (void)chainInvalidationFromToken:(TWLInvalidationToken *)token
    includingCancelWithoutInvalidating:(BOOL)includingCancel {
  ovm_token_chain(_handle, token.handle, includingCancel);
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
