#import "TWLPrivate.h"

#import <pthread.h>

NS_ASSUME_NONNULL_BEGIN

/// A way to an object that does not keep it, on runtimes without weak references too.
///
/// There, the object's class says `TWL_RELEASE_WITH(reference)`: every release of the object takes the lock of the
/// reference, so that the last release and a look at the object exclude each other.
@interface TWLWeakReference : NSObject {
@private
#if __has_feature(objc_arc)
  __weak id _object;
#else
  id _object;
#endif
  pthread_mutex_t _lock;
}

/// A reference to an object, which must outlive this call.
- (instancetype)initWithTWLObject:(id)object;

/// The object, or `nil` if it is gone.
- (nullable id)twl_object;

#if !__has_feature(objc_arc)
- (void)twl_lock;
- (void)twl_unlock;
/// From now on there is no object. Called with the lock held.
- (void)twl_clear;
#endif

@end

#if __has_feature(objc_arc)
#define TWL_RELEASE_WITH(reference)
#else
// Only a holder can make one more, so a holder who is the only one stays it, once the reference is cleared. Nothing of
// the object's end happens under the lock.
#define TWL_RELEASE_WITH(reference)                        \
  -(oneway void)release {                                  \
    TWLWeakReference *lock = [(reference) retain];         \
    [lock twl_lock];                                       \
    BOOL isLast = [self retainCount] == 1;                 \
    if (isLast) {                                          \
      [lock twl_clear];                                    \
    } else {                                               \
      [super release];                                     \
    }                                                      \
    [lock twl_unlock];                                     \
    if (isLast) [super release];                           \
    [lock release];                                        \
  }
#endif

NS_ASSUME_NONNULL_END
