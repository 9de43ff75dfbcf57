// Counts the live instances of some classes.

#import "Support.h"

NS_ASSUME_NONNULL_BEGIN

/// Starts counting the instances of a class and its subclasses. No subclass may have a counter.
void CountInstances(const char *name);
/// Waits until there are no instances. If that takes too long, prints the remaining ones and resets the counters.
BOOL WaitForNoObjects(NSTimeInterval seconds);

NS_ASSUME_NONNULL_END
