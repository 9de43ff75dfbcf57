// An operation that continues after it has been started.

#import <Tomorrowland/TWLMacros.h>

NS_ASSUME_NONNULL_BEGIN

/// An operation that continues after `-start` has returned. Subclasses set when it is executing and when it is
/// finished.
@interface TWLAsyncOperation : NSOperation {
@private
  int _phase;
}
@end

NS_ASSUME_NONNULL_END
