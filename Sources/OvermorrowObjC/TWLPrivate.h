// What the classes share. Everything private begins with `TWL` or `twl_`, so that it is in nobody's way.

#import <Block.h>
#import <Tomorrowland/Tomorrowland.h>
#import <overmorrow.h>

// One source for automatic reference counting, which Apple's builds use, and for manual, which the GCC runtime needs.
#if __has_feature(objc_arc)
#define TWL_RETAIN(object) (object)
#define TWL_RELEASE(object) ((void)(object))
#define TWL_AUTORELEASE(object) (object)
#define TWL_DEALLOC_SUPER()
#else
#define TWL_RETAIN(object) [(object) retain]
#define TWL_RELEASE(object) [(object) release]
#define TWL_AUTORELEASE(object) [(object) autorelease]
#define TWL_DEALLOC_SUPER() [super dealloc]
#endif

NS_ASSUME_NONNULL_BEGIN

/// One more reference to an object, for the C interface to release by `TWLReleaseObject`.
void *_Nullable TWLRetainedPointer(id _Nullable object);
/// Releases an object, with an autorelease pool round its end.
void TWLReleaseObject(void *_Nullable object);
/// A value or an error for the C interface; it is released when no promise holds it any more.
ovm_object TWLObject(id _Nullable object);
/// Releases a block that was copied by `TWL_BLOCK`, with an autorelease pool round its end.
void TWLReleaseBlock(void *_Nullable block);

/// A block as the last two arguments of a function of the C interface: a copy, and how it is released.
#define TWL_BLOCK(block) _Block_copy((__bridge const void *)(block)), TWLReleaseBlock
/// The block behind the context of a callback.
#define TWL_BLOCK_OF(type, context) ((type)(__bridge id)(context))

/// The promise behind a handle, which is consumed.
TWLPromise *TWLPromiseOf(ovm_promise *handle);

@interface TWLContext (Private)
/// `ovm_context *`; valid as long as this object.
- (ovm_context *)twl_handle;
@end

@interface TWLResolver (Private)
/// The resolver behind a handle, which is borrowed.
- (instancetype)initWithTWLHandle:(ovm_resolver *)handle;
@end

/// Calls a block with a resolver: `ovm_body`, with a block as its context.
void TWLCallWithResolver(void *_Nullable context, ovm_resolver *resolver);

@interface TWLAsyncOperation (Private)
/// The operation begins to execute.
- (void)twl_begin;
/// The operation is finished.
- (void)twl_finish;
@end

/// A context for an operation queue.
ovm_context *TWLContextOfOperationQueue(NSOperationQueue *queue);

/// A token that is invalidated when an object is deallocated; `nil` for an object that never is.
TWLInvalidationToken *_Nullable TWLLifetimeToken(id object);

NS_ASSUME_NONNULL_END
