// Declarations that the classes share. Private names begin with `TWL` or `twl_`, so that they do not collide with names
// in other code.

#import <Block.h>
#import <Tomorrowland/Tomorrowland.h>
#import <overmorrow.h>

// The macros let one source compile with both kinds of reference counting. Builds for Apple's platforms use automatic
// reference counting. The GCC runtime needs manual reference counting.
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

/// Retains an object and returns its address for the C interface. The C interface releases the object with
/// `TWLReleaseObject`.
void *_Nullable TWLRetainedPointer(id _Nullable object);
/// Releases an object inside an autorelease pool.
void TWLReleaseObject(void *_Nullable object);
/// Converts an object to a value or an error of the C interface. The object is released when no promise holds it any
/// more.
ovm_object TWLObject(id _Nullable object);
/// Releases a copy of a block, inside an autorelease pool.
void TWLReleaseBlock(void *_Nullable block);

/// The last two arguments of a function of the C interface for a block: a copy of the block, and the function that
/// releases it.
#define TWL_BLOCK(block) _Block_copy((__bridge const void *)(block)), TWLReleaseBlock
/// The block that is the context of a callback.
#define TWL_BLOCK_OF(type, context) ((type)(__bridge id)(context))

/// Creates an object for the promise of a handle, and consumes the handle.
TWLPromise *TWLPromiseOf(ovm_promise *handle);

@interface TWLContext (Private)
/// Returns the context's handle, an `ovm_context *`. The handle is valid as long as this object exists.
- (ovm_context *)twl_handle;
@end

@interface TWLResolver (Private)
/// Creates a resolver from a handle. The handle is borrowed.
- (instancetype)initWithTWLHandle:(ovm_resolver *)handle;
@end

/// Calls a block with a resolver. The function is an `ovm_body` whose context is the block.
void TWLCallWithResolver(void *_Nullable context, ovm_resolver *resolver);

@interface TWLAsyncOperation (Private)
/// Records that the operation begins to execute.
- (void)twl_begin;
/// Records that the operation is finished.
- (void)twl_finish;
@end

/// Returns a context for an operation queue.
ovm_context *TWLContextOfOperationQueue(NSOperationQueue *queue);

/// Returns a token that is invalidated when an object is deallocated.
///
/// On a runtime without associated objects, returns `nil` for a literal string, because a literal string is never
/// deallocated.
TWLInvalidationToken *_Nullable TWLLifetimeToken(id object);

NS_ASSUME_NONNULL_END
