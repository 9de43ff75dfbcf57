#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

enum { TWLWaiting, TWLExecuting, TWLFinished };

@implementation TWLAsyncOperation

- (BOOL)isConcurrent {
  return YES;
}

- (BOOL)isAsynchronous {
  return YES;
}

- (int)twl_phase {
  @synchronized(self) {
    return _phase;
  }
}

- (BOOL)isExecuting {
  return [self twl_phase] == TWLExecuting;
}

- (BOOL)isFinished {
  return [self twl_phase] == TWLFinished;
}

/// Sets the phase and notifies the observers of the properties. The notification is sent outside the lock, because the
/// observers read the properties.
- (void)twl_enterPhase:(int)phase {
  BOOL changesExecuting = phase == TWLExecuting || [self isExecuting];
  BOOL changesFinished = phase == TWLFinished;
  if (changesExecuting) [self willChangeValueForKey:@"isExecuting"];
  if (changesFinished) [self willChangeValueForKey:@"isFinished"];
  @synchronized(self) {
    _phase = phase;
  }
  if (changesExecuting) [self didChangeValueForKey:@"isExecuting"];
  if (changesFinished) [self didChangeValueForKey:@"isFinished"];
}

- (void)twl_begin {
  [self twl_enterPhase:TWLExecuting];
}

- (void)twl_finish {
  [self twl_enterPhase:TWLFinished];
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
