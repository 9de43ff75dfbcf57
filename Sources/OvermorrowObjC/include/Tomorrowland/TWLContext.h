// Contexts, which say where handlers run.

#import <Tomorrowland/TWLMacros.h>

struct ovm_context;

NS_ASSUME_NONNULL_BEGIN

/// The context of a handler, which says where it runs.
@interface TWLContext : NSObject {
@private
  struct ovm_context *_handle;
}

/// No queue: a handler runs inside the call that resolves the promise or, if it is already resolved, inside the call
/// that registers the handler.
@property (class, readonly) TWLContext *immediate;
/// The main queue. Consecutive handlers run in one pass of the queue.
@property (class, readonly) TWLContext *main;
/// The global queue with the quality of service `QOS_CLASS_BACKGROUND`.
@property (class, readonly) TWLContext *background;
/// The global queue with the quality of service `QOS_CLASS_UTILITY`.
@property (class, readonly) TWLContext *utility;
/// The global queue with the quality of service `QOS_CLASS_DEFAULT`.
@property (class, readonly) TWLContext *defaultQoS;
/// The global queue with the quality of service `QOS_CLASS_USER_INITIATED`.
@property (class, readonly) TWLContext *userInitiated;
/// The global queue with the quality of service `QOS_CLASS_USER_INTERACTIVE`.
@property (class, readonly) TWLContext *userInteractive;

/// A dispatch queue, serial or concurrent.
+ (TWLContext *)queue:(dispatch_queue_t)queue;
/// An operation queue, on which each handler is one operation. If an operation is cancelled, the promise that waits for
/// its handler is cancelled.
+ (TWLContext *)operationQueue:(NSOperationQueue *)operationQueue;
/// The context that runs a handler inside the registering call if the promise is already resolved, and otherwise on
/// another context.
+ (TWLContext *)nowOrContext:(TWLContext *)context;

/// `main` if this property is read on the main queue, otherwise `defaultQoS`. Handlers for which no context is given
/// run here.
@property (class, readonly) TWLContext *automatic;
/// Whether the calling code is in a handler that a `nowOrContext:` runs inside the registering call.
///
/// Also `YES` in immediate work that is nested in such a handler. `NO` everywhere else.
@property (class, readonly) BOOL isExecutingNow;

/// The global queue of a quality of service, or the default one if it is unspecified.
+ (TWLContext *)contextForQoS:(dispatch_qos_class_t)qos;

/// See `+queue:`.
- (instancetype)initWithQueue:(dispatch_queue_t)queue NS_DESIGNATED_INITIALIZER;
/// See `+operationQueue:`.
- (instancetype)initWithOperationQueue:(NSOperationQueue *)operationQueue NS_DESIGNATED_INITIALIZER;
/// See `+nowOrContext:`.
- (instancetype)initAsNowOrContext:(TWLContext *)context NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
