// How a promise with a timeout fails.

#import <Tomorrowland/TWLMacros.h>

NS_ASSUME_NONNULL_BEGIN

/// The error of a promise with a timeout: the time was up, or the promise was rejected in time.
@interface TWLTimeoutError<Wrapped> : NSObject {
@private
  id _rejectedError;
}

/// Whether the time was up.
@property (readonly) BOOL timedOut;
/// What the promise was rejected with; `nil` if the time was up.
@property (readonly, nullable) Wrapped rejectedError;

/// An error that says that the time was up.
+ (instancetype)newTimedOut NS_SWIFT_UNAVAILABLE("use init(timedOut: ()) instead");
/// An error around what a promise was rejected with.
+ (instancetype)newWithRejectedError:(Wrapped)error NS_SWIFT_UNAVAILABLE("use init(rejected:) instead");
/// An error that says that the time was up.
- (instancetype)initTimedOut NS_DESIGNATED_INITIALIZER;
/// An error around what a promise was rejected with.
- (instancetype)initWithRejectedError:(Wrapped)error NS_SWIFT_NAME(init(rejected:)) NS_DESIGNATED_INITIALIZER;

- (instancetype)init TWL_UNAVAILABLE;
+ (instancetype)new TWL_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
