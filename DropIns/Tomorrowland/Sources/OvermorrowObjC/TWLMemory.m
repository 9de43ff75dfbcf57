#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

void *TWLRetainedPointer(id object) {
#if __has_feature(objc_arc)
  return (__bridge_retained void *)object;
#else
  return [object retain];
#endif
}

void TWLReleaseObject(void *object) {
  @autoreleasepool {
#if __has_feature(objc_arc)
    id last = (__bridge_transfer id)object;
    (void)last;
#else
    [(id)object release];
#endif
  }
}

ovm_object TWLObject(id object) {
  return (ovm_object){.pointer = TWLRetainedPointer(object), .release = TWLReleaseObject};
}

void TWLReleaseBlock(void *block) {
  @autoreleasepool {
    _Block_release(block);
  }
}

#if !defined(__APPLE__)

// Without these functions, the blocks runtime cannot retain an object that a block captures.
struct TWLBlockCallbacks {
  size_t size;
  void (*retain)(const void *);
  void (*release)(const void *);
  void (*destructInstance)(const void *);
};
extern void _Block_use_RR2(const struct TWLBlockCallbacks *);

static void TWLRetainCaptured(const void *object) { (void)TWLRetainedPointer((__bridge id)object); }
static void TWLReleaseCaptured(const void *object) { TWLReleaseObject((void *)object); }
static void TWLDestructNothing(const void *object) { (void)object; }

__attribute__((constructor)) static void TWLInstallBlockCallbacks(void) {
  static const struct TWLBlockCallbacks callbacks = {
      sizeof(callbacks), TWLRetainCaptured, TWLReleaseCaptured, TWLDestructNothing};
  _Block_use_RR2(&callbacks);
}

#endif

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
