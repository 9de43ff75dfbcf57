#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

static void TWLRunWork(void *work) {
  @autoreleasepool {
    ovm_work_run(work);
  }
}

// A dispatch queue is an Objective-C object on Apple's platforms, and a different type elsewhere.
#if OS_OBJECT_USE_OBJC
#define TWL_QUEUE_OF(context) ((__bridge dispatch_queue_t)(context))
static void *TWLRetainedQueue(dispatch_queue_t queue) { return TWLRetainedPointer(queue); }
static void TWLReleaseQueue(void *queue) { TWLReleaseObject(queue); }
#else
#define TWL_QUEUE_OF(context) ((dispatch_queue_t)(context))
static void *TWLRetainedQueue(dispatch_queue_t queue) {
  dispatch_retain(queue);
  return queue;
}
static void TWLReleaseQueue(void *queue) { dispatch_release(TWL_QUEUE_OF(queue)); }
#endif

static void TWLEnqueueOnQueue(void *context, ovm_work *work) {
  dispatch_async_f(TWL_QUEUE_OF(context), work, TWLRunWork);
}

static ovm_place TWLPlaceOf(dispatch_qos_class_t qos) {
  switch ((unsigned int)qos) {
  case QOS_CLASS_BACKGROUND:
    return OVM_BACKGROUND;
  case QOS_CLASS_UTILITY:
    return OVM_UTILITY;
  case QOS_CLASS_USER_INITIATED:
    return OVM_USER_INITIATED;
  case QOS_CLASS_USER_INTERACTIVE:
    return OVM_USER_INTERACTIVE;
  default:
    return OVM_DEFAULT;
  }
}

@interface TWLContext ()
- (instancetype)initWithTWLPlace:(ovm_place)place NS_DESIGNATED_INITIALIZER;
@end

@implementation TWLContext

- (instancetype)initWithTWLPlace:(ovm_place)place {
  self = [super init];
  if (self) _handle = ovm_context_create(place);
  return self;
}

- (instancetype)init {
  return [self initWithTWLPlace:OVM_AUTO];
}

- (instancetype)initWithQueue:(dispatch_queue_t)queue {
  self = [super init];
  if (self) {
    ovm_executor executor = {
        .context = TWLRetainedQueue(queue), .release = TWLReleaseQueue, .enqueue = TWLEnqueueOnQueue};
    _handle = ovm_context_create_executor(&executor);
  }
  return self;
}

- (instancetype)initWithOperationQueue:(NSOperationQueue *)operationQueue {
  self = [super init];
  if (self) _handle = TWLContextOfOperationQueue(operationQueue);
  return self;
}

- (instancetype)initAsNowOrContext:(TWLContext *)context {
  self = [super init];
  if (self) _handle = ovm_context_create_now_or([context twl_handle]);
  return self;
}

- (void)dealloc {
  if (_handle) ovm_context_release(_handle);
  TWL_DEALLOC_SUPER();
}

+ (TWLContext *)twl_contextForPlace:(ovm_place)place {
  return TWL_AUTORELEASE([[TWLContext alloc] initWithTWLPlace:place]);
}

+ (TWLContext *)immediate {
  return [self twl_contextForPlace:OVM_IMMEDIATE];
}

+ (TWLContext *)main {
  return [self twl_contextForPlace:OVM_MAIN];
}

+ (TWLContext *)background {
  return [self twl_contextForPlace:OVM_BACKGROUND];
}

+ (TWLContext *)utility {
  return [self twl_contextForPlace:OVM_UTILITY];
}

+ (TWLContext *)defaultQoS {
  return [self twl_contextForPlace:OVM_DEFAULT];
}

+ (TWLContext *)userInitiated {
  return [self twl_contextForPlace:OVM_USER_INITIATED];
}

+ (TWLContext *)userInteractive {
  return [self twl_contextForPlace:OVM_USER_INTERACTIVE];
}

+ (TWLContext *)automatic {
  return [self twl_contextForPlace:OVM_AUTO];
}

+ (BOOL)isExecutingNow {
  return ovm_is_executing_now();
}

+ (TWLContext *)queue:(dispatch_queue_t)queue {
  return TWL_AUTORELEASE([[TWLContext alloc] initWithQueue:queue]);
}

+ (TWLContext *)operationQueue:(NSOperationQueue *)operationQueue {
  return TWL_AUTORELEASE([[TWLContext alloc] initWithOperationQueue:operationQueue]);
}

+ (TWLContext *)nowOrContext:(TWLContext *)context {
  return TWL_AUTORELEASE([[TWLContext alloc] initAsNowOrContext:context]);
}

+ (TWLContext *)contextForQoS:(dispatch_qos_class_t)qos {
  return [self twl_contextForPlace:TWLPlaceOf(qos)];
}

- (ovm_context *)twl_handle {
  return _handle;
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
