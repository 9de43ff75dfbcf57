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
  return [self inspectOnContext:context
                          token:token
                        handler:^(id value, id error) {
                          if (value) {
                            thenHandler(value);
                          } else if (error) {
                            catchHandler(error);
                          }
                        }];
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
