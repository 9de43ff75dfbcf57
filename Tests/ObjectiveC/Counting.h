// Counters of the objects that there are of some classes.

#import "Support.h"

NS_ASSUME_NONNULL_BEGIN

/// Counts the instances of a class and its subclasses from now on, of which none has a counter.
void CountInstances(const char *name);
/// Waits until there are no instances; if that takes too long, says which are left, and forgets them.
BOOL WaitForNoObjects(NSTimeInterval seconds);

NS_ASSUME_NONNULL_END
