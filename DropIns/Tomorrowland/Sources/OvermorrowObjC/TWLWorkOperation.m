#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

/// An operation that runs a callback. An operation that was reserved for a later time is ready after `-twl_becomeDue`.
/// Any other operation is ready at once.
@interface TWLWorkOperation : NSOperation {
@private
  ovm_work *_work;
  BOOL _isDue;
}
@end

@implementation TWLWorkOperation

- (instancetype)initWithTWLWork:(ovm_work *)work isDue:(BOOL)isDue {
  self = [super init];
  if (self) {
    _work = work;
    _isDue = isDue;
  }
  return self;
}

- (void)dealloc {
  if (_work) ovm_work_drop(_work);
  TWL_DEALLOC_SUPER();
}

/// Returns the work to the first caller, and `NULL` to later callers. The first caller must run or drop the work.
- (ovm_work *)twl_takeWork {
  @synchronized(self) {
    ovm_work *work = _work;
    _work = NULL;
    return work;
  }
}

- (BOOL)twl_isDue {
  @synchronized(self) {
    return _isDue;
  }
}

- (void)twl_becomeDue {
  if ([self twl_isDue]) return;
  [self willChangeValueForKey:@"isReady"];
  @synchronized(self) {
    _isDue = YES;
  }
  [self didChangeValueForKey:@"isReady"];
}

/// Returns whether the operation is due or cancelled. A queue removes a cancelled operation only when the
/// operation is ready.
- (BOOL)isReady {
  return [super isReady] && ([self isCancelled] || [self twl_isDue]);
}

- (void)main {
  ovm_work *work = [self twl_takeWork];
  if (work) ovm_work_run(work);
}

/// Drops the work if it has not begun. The promise that waits for the work is cancelled at once, even if the queue is
/// suspended.
- (void)cancel {
  [super cancel];
  [self twl_becomeDue];
  ovm_work *work = [self twl_takeWork];
  if (work) ovm_work_drop(work);
}

@end

static TWLWorkOperation *TWLAddOperation(void *queue, ovm_work *work, BOOL isDue) {
  TWLWorkOperation *operation = [[TWLWorkOperation alloc] initWithTWLWork:work isDue:isDue];
  [(__bridge NSOperationQueue *)queue addOperation:operation];
  return TWL_AUTORELEASE(operation);
}

static void TWLEnqueueOperation(void *queue, ovm_work *work) {
  @autoreleasepool {
    TWLAddOperation(queue, work, YES);
  }
}

static void *TWLReserveOperation(void *queue, ovm_work *work) {
  @autoreleasepool {
    return TWLRetainedPointer(TWLAddOperation(queue, work, NO));
  }
}

static void TWLBeginOperation(void *reservation) {
  @autoreleasepool {
    [(__bridge TWLWorkOperation *)reservation twl_becomeDue];
    TWLReleaseObject(reservation);
  }
}

static void TWLCancelOperation(void *reservation) {
  @autoreleasepool {
    [(__bridge TWLWorkOperation *)reservation cancel];
    TWLReleaseObject(reservation);
  }
}

ovm_context *TWLContextOfOperationQueue(NSOperationQueue *queue) {
  ovm_executor executor = {.context = TWLRetainedPointer(queue),
                           .release = TWLReleaseObject,
                           .enqueue = TWLEnqueueOperation,
                           .reserve = TWLReserveOperation,
                           .begin = TWLBeginOperation,
                           .cancel = TWLCancelOperation};
  return ovm_context_create_executor(&executor);
}

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
