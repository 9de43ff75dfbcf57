#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

@implementation TWLPromise (Convenience)

- (TWLPromise *)then:(void (^)(id))thenHandler catch:(void (^)(id))catchHandler {
  return [self onContext:TWLContext.automatic token:nil then:thenHandler catch:catchHandler];
}

- (TWLPromise *)onContext:(TWLContext *)context then:(void (^)(id))thenHandler catch:(void (^)(id))catchHandler {
  return [self onContext:context token:nil then:thenHandler catch:catchHandler];
}

- (TWLPromise *)onContext:(TWLContext *)context
                    token:(TWLInvalidationToken *)token
                     then:(void (^)(id))thenHandler
                    catch:(void (^)(id))catchHandler {
  // Each handler is registered in a step of its own. A cancellation runs neither handler and passes both steps at once.
  TWLPromise *next = [self thenOnContext:context token:token handler:thenHandler];
  return [next catchOnContext:context token:token handler:catchHandler];
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
