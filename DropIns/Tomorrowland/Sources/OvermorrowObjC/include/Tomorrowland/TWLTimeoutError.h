// The error of a promise that has a timeout.

#import <Tomorrowland/TWLMacros.h>

NS_ASSUME_NONNULL_BEGIN

/// The error of a promise that has a timeout. Either the time limit has passed, or the promise was rejected within the
/// time limit.
@interface TWLTimeoutError<Wrapped> : NSObject {
@private
  id _rejectedError;
}

/// Whether the time limit has passed.
@property (readonly) BOOL timedOut;
/// The error that the promise was rejected with; `nil` if the time limit has passed.
@property (readonly, nullable) Wrapped rejectedError;

/// Creates an error for a time limit that has passed.
+ (instancetype)newTimedOut NS_SWIFT_UNAVAILABLE("use init(timedOut: ()) instead");
/// Creates an error that wraps the error of a rejected promise.
+ (instancetype)newWithRejectedError:(Wrapped)error NS_SWIFT_UNAVAILABLE("use init(rejected:) instead");
/// Creates an error for a time limit that has passed.
- (instancetype)initTimedOut NS_DESIGNATED_INITIALIZER;
/// Creates an error that wraps the error of a rejected promise.
- (instancetype)initWithRejectedError:(Wrapped)error NS_SWIFT_NAME(init(rejected:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
