#import "TWLPrivate.h"

#import <pthread.h>

NS_ASSUME_NONNULL_BEGIN

/// A weak reference that also works on runtimes that have no weak references.
///
/// On runtimes that have no weak references, the object's class must contain `TWL_RELEASE_WITH(reference)`. This macro
/// makes each release of the object take the lock of the reference. Therefore the last release and a read of the
/// reference exclude each other.
@interface TWLWeakReference : NSObject {
@private
#if __has_feature(objc_arc)
  __weak id _object;
#else
  id _object;
#endif
  pthread_mutex_t _lock;
}

/// Creates a weak reference to an object. The caller must keep the object alive during the call.
- (instancetype)initWithTWLObject:(id)object;

/// Returns the object; `nil` after the last strong reference to the object was released.
- (nullable id)twl_object;

#if !__has_feature(objc_arc)
- (void)twl_lock;
- (void)twl_unlock;
/// Clears the reference. The caller must hold the lock.
- (void)twl_clear;
#endif

@end

#if __has_feature(objc_arc)
#define TWL_RELEASE_WITH(reference)
#else
// If the count is 1, the code that calls `-release` holds the only strong reference. After the weak reference has been
// cleared, no other code can add a strong reference, so the count stays 1. The object is deallocated outside the lock.
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
