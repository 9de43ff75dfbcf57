#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

/// Creates an array of the values of several promises.
static ovm_object TWLCollect(void *context, void *const *values, size_t count) {
  (void)context;
  @autoreleasepool {
    NSMutableArray *array = [NSMutableArray arrayWithCapacity:count];
    for (size_t i = 0; i < count; i++) [array addObject:(__bridge id)values[i]];
    return TWLObject(TWL_AUTORELEASE([array copy]));
  }
}

/// Returns an array of the handles of promises. The caller must free the array.
static ovm_promise **TWLHandlesOf(NSArray *promises) {
  ovm_promise **handles = calloc(promises.count ?: 1, sizeof *handles);
  NSUInteger count = 0;
  for (TWLPromise *promise in promises) handles[count++] = promise.handle;
  return handles;
}

@implementation TWLPromise (When)

+ (TWLPromise *)whenFulfilled:(NSArray *)promises {
  return [self whenFulfilled:promises cancelOnFailure:NO];
}

+ (TWLPromise *)whenFulfilled:(NSArray *)promises qos:(dispatch_qos_class_t)qosClass {
  return [self whenFulfilled:promises qos:qosClass cancelOnFailure:NO];
}

+ (TWLPromise *)whenFulfilled:(NSArray *)promises
                          qos:(dispatch_qos_class_t)qosClass
              cancelOnFailure:(BOOL)cancelOnFailure {
  (void)qosClass;
  return [self whenFulfilled:promises cancelOnFailure:cancelOnFailure];
}

+ (TWLPromise *)whenFulfilled:(NSArray *)promises cancelOnFailure:(BOOL)cancelOnFailure {
  ovm_promise **handles = TWLHandlesOf(promises);
  ovm_promise *all = ovm_when_fulfilled(handles, promises.count, cancelOnFailure, TWLCollect, NULL, NULL);
  free(handles);
  return TWLPromiseOf(all);
}

+ (TWLPromise *)race:(NSArray *)promises {
  return [self race:promises cancelRemaining:NO];
}

+ (TWLPromise *)race:(NSArray *)promises cancelRemaining:(BOOL)cancelRemaining {
  ovm_promise **handles = TWLHandlesOf(promises);
  ovm_promise *first = ovm_when_first(handles, promises.count, cancelRemaining);
  free(handles);
  return TWLPromiseOf(first);
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
