// An operation that goes on after it has been started.

#import <Tomorrowland/TWLMacros.h>

NS_ASSUME_NONNULL_BEGIN

/// An operation that goes on after `-start` has returned. Subclasses say when it executes and when it is finished.
@interface TWLAsyncOperation : NSOperation {
@private
  int _phase;
}
@end

NS_ASSUME_NONNULL_END
