// Where handlers run.

#import <Tomorrowland/TWLMacros.h>

struct ovm_context;

NS_ASSUME_NONNULL_BEGIN

/// Where a handler runs.
@interface TWLContext : NSObject {
@private
  struct ovm_context *_handle;
}

/// Right there: in the call that resolves the promise or, if it is resolved already, that registers the handler.
@property (class, readonly) TWLContext *immediate;
/// The main queue. Handlers that follow one another on it run in one pass of it.
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
/// An operation queue: each handler is an operation of its own. A cancelled operation cancels what was to come of it.
+ (TWLContext *)operationQueue:(NSOperationQueue *)operationQueue;
/// In the registering call if the promise is resolved already, otherwise on the context given.
+ (TWLContext *)nowOrContext:(TWLContext *)context;

/// `main` where this is read on the main queue, otherwise `defaultQoS`. Handlers without a context run here.
@property (class, readonly) TWLContext *automatic;
/// Whether the code that asks is in a handler on a `nowOrContext:` that runs inside the registering call.
///
/// Also `YES` in immediate work that is nested in such a handler; `NO` everywhere else.
@property (class, readonly) BOOL isExecutingNow;

/// The global queue of a quality of service; the default one where it is unspecified.
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
