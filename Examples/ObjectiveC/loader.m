// Loads the files of a folder, several at a time, with operations whose work is a promise: `Examples/ObjectiveC/run`.
// It compiles with automatic reference counting, and also without it, as GNUstep on the GCC runtime requires.
#import <Tomorrowland/Tomorrowland.h>

#if __has_feature(objc_arc)
#define AUTORELEASED(object) (object)
#else
#define AUTORELEASED(object) [(object) autorelease]
#endif

typedef TWLPromise<NSString *, NSError *> TextPromise;
typedef TWLPromiseOperation<NSString *, NSError *> LoadOperation;

/// An operation that reads a file outside the main queue, when its operation queue starts it.
static LoadOperation *LoadFile(NSString *path) {
  LoadOperation *operation =
      [TWLPromiseOperation newOnContext:TWLContext.utility
                                handler:^(TWLResolver<NSString *, NSError *> *resolver) {
                                  NSError *error = nil;
                                  NSString *text = [NSString stringWithContentsOfFile:path
                                                                             encoding:NSUTF8StringEncoding
                                                                                error:&error];
                                  [resolver handleCallback](text, error);
                                }];
  return AUTORELEASED(operation);
}

/// A promise for the number of lines of the text.
static TWLPromise<NSNumber *, NSError *> *CountLines(TextPromise *text) {
  return [text mapOnContext:TWLContext.utility
                    handler:^id(NSString *content) {
                      NSArray *lines = [content componentsSeparatedByString:@"\n"];
                      return [NSNumber numberWithUnsignedInteger:[lines count] - 1];
                    }];
}

int main(int argc, const char *argv[]) {
  @autoreleasepool {
    NSString *folder = [NSString stringWithUTF8String:argc > 1 ? argv[1] : "."];
    NSArray *names = [[[NSFileManager defaultManager] contentsOfDirectoryAtPath:folder error:NULL]
        sortedArrayUsingSelector:@selector(compare:)];
    NSOperationQueue *queue = AUTORELEASED([[NSOperationQueue alloc] init]);
    [queue setMaxConcurrentOperationCount:2];

    NSMutableArray *counts = [NSMutableArray array];
    for (NSString *name in names) {
      LoadOperation *operation = LoadFile([folder stringByAppendingPathComponent:name]);
      [counts addObject:CountLines(operation.promise)];
      [queue addOperation:operation];
    }

    // An operation whose result is no longer wanted: it is cancelled before it starts.
    LoadOperation *superfluous = LoadFile(@"/nothing/there");
    [superfluous.promise whenCancelledOnContext:TWLContext.immediate
                                        handler:^{
                                          puts("the superfluous one was cancelled");
                                        }];
    [superfluous cancel];
    [queue addOperation:superfluous];

    // All counts, or the first error, within a minute. The program ends on the main queue.
    [[[TWLPromise whenFulfilled:counts cancelOnFailure:YES] timeoutWithDelay:60] onContext:TWLContext.main
        then:^(NSArray<NSNumber *> *lines) {
          [lines enumerateObjectsUsingBlock:^(NSNumber *count, NSUInteger index, BOOL *stop) {
            (void)stop;
            printf("%s: %lu lines\n", [[names objectAtIndex:index] UTF8String], [count unsignedLongValue]);
          }];
          [queue waitUntilAllOperationsAreFinished];
          exit(0);
        }
        catch:^(TWLTimeoutError<NSError *> *error) {
          printf("failed: %s\n", [[error description] UTF8String]);
          exit(1);
        }];
  }
  dispatch_main();
}
