// An operation that continues after it has been started.

#import <Tomorrowland/TWLMacros.h>

NS_ASSUME_NONNULL_BEGIN

/// An operation that continues after `-start` has returned. A subclass determines when the operation begins to execute
/// and when the operation is finished.
@interface TWLAsyncOperation : NSOperation {
@private
  int _phase;
}
@end

NS_ASSUME_NONNULL_END
