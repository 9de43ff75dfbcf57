// Support code for the test cases.

#import <Tomorrowland/Tomorrowland.h>

NS_ASSUME_NONNULL_BEGIN

/// Defines a test case. Its name is the statement that it proves. Each case runs in its own autorelease pool, off the
/// main queue, and must leave no object of the library or of the tests.
#define CASE(name)                                                                       \
  static void name(void);                                                                \
  __attribute__((constructor)) static void register_##name(void) { AddCase(#name, name); } \
  static void name(void)

/// Fails the case unless the condition holds, and prints the expectation.
#define CHECK(condition) Check((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(left, right) CheckEqual((left), (right), #left " is " #right, __FILE__, __LINE__)

void AddCase(const char *name, void (*run)(void));
void Check(BOOL condition, const char *text, const char *file, int line);
void CheckEqual(id _Nullable left, id _Nullable right, const char *text, const char *file, int line);

/// The longest time that a wait may take.
extern const NSTimeInterval WaitLimit;

/// An event that may happen on another thread. The object is autoreleased.
@interface Event : NSObject {
@private
  dispatch_semaphore_t _happened;
  int _count;
}
+ (Event *)event;
- (void)happen;
/// Waits until the event has happened, and fails the case if that takes too long.
- (void)waitFor:(const char *)what;
/// The number of times it has happened.
@property (readonly) int count;
@end

/// An object whose deallocation is counted, with a name for comparisons.
@interface Probe : NSObject {
@private
  NSString *_name;
}
+ (Probe *)named:(NSString *)name;
@property (readonly) NSString *name;
@end

/// The number of live objects of the library and of the tests.
int LiveObjects(void);

typedef TWLPromise<Probe *, Probe *> P;
typedef TWLResolver<Probe *, Probe *> R;

/// Returns a promise that is fulfilled with a probe of a name; the following functions return a rejected, a cancelled
/// and a pending one.
P *Fulfilled(NSString *name);
P *Rejected(NSString *name);
P *Cancelled(void);
P *Pending(R *_Nullable *_Nonnull resolver);

/// `value <name>`, `error <name>`, `cancelled` or `pending`.
NSString *Text(TWLPromise *promise);
/// Like `Text`, after waiting for the result.
NSString *AwaitedText(TWLPromise *promise);
/// Returns the text of a value or an error: `value <name>`, `error <name>` or `nothing`.
NSString *TextOf(id _Nullable value, id _Nullable error);

/// Returns a context with a new serial queue, which the context owns.
TWLContext *SerialQueue(const char *label);

/// Runs a block on the main queue and waits for it.
void OnMain(void (^block)(void));

/// A log that several threads may write to.
@interface Log : NSObject {
@private
  NSMutableArray *_lines;
}
+ (Log *)log;
- (void)add:(NSString *)line;
/// The lines, separated by spaces.
@property (readonly) NSString *text;
@end

NS_ASSUME_NONNULL_END
