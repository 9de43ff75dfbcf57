#if __has_include(<Foundation/Foundation.h>)

#import "TWLWeakReference.h"

@implementation TWLWeakReference

- (instancetype)initWithTWLObject:(id)object {
  self = [super init];
  if (self) {
    _object = object;
    pthread_mutex_init(&_lock, NULL);
  }
  return self;
}

- (void)dealloc {
  pthread_mutex_destroy(&_lock);
  TWL_DEALLOC_SUPER();
}

#if __has_feature(objc_arc)

- (id)twl_object {
  return _object;
}

#else

- (id)twl_object {
  [self twl_lock];
  id object = [_object retain];
  [self twl_unlock];
  return [object autorelease];
}

- (void)twl_lock {
  pthread_mutex_lock(&_lock);
}

- (void)twl_unlock {
  pthread_mutex_unlock(&_lock);
}

- (void)twl_clear {
  _object = nil;
}

#endif

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
