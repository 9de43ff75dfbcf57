// Contexts, which say where handlers run.

#import <Tomorrowland/TWLMacros.h>

struct ovm_context;

NS_ASSUME_NONNULL_BEGIN

/// A context, which says where handlers run.
@interface TWLContext : NSObject {
@private
  struct ovm_context *_handle;
}

/// No queue. If the promise is already resolved, a handler runs inside the call that registers the handler. Otherwise
/// the handler runs inside the call that resolves the promise.
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

/// Returns a context that runs handlers on a dispatch queue. The queue may be serial or concurrent.
+ (TWLContext *)queue:(dispatch_queue_t)queue;
/// Returns a context that runs each handler as one operation of an operation queue. If an operation is cancelled, the
/// promise that waits for the handler of the operation is cancelled.
+ (TWLContext *)operationQueue:(NSOperationQueue *)operationQueue;
/// Returns a `now or` context. If the promise is already resolved when a handler is registered, the handler runs inside
/// the registering call. Otherwise the handler runs on another context.
+ (TWLContext *)nowOrContext:(TWLContext *)context;

/// If this property is read on the main queue, the same as `main`. Otherwise the same as `defaultQoS`. A handler that
/// is registered without a context runs on this context.
@property (class, readonly) TWLContext *automatic;
/// Whether the calling code is in a handler that a `now or` context runs inside the registering call.
///
/// Also `YES` in work that runs on `immediate` inside such a handler. `NO` everywhere else.
@property (class, readonly) BOOL isExecutingNow;

/// Returns the context for the global queue of a quality of service. An unspecified or unknown quality of service
/// counts as `QOS_CLASS_DEFAULT`.
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
