// What the test cases share.

#import <Tomorrowland/Tomorrowland.h>

NS_ASSUME_NONNULL_BEGIN

/// A test case: its name is the sentence that it proves. Each runs in an autorelease pool of its own, off the main queue,
/// and afterwards no object of the library or of the tests may be left.
#define CASE(name)                                                                       \
  static void name(void);                                                                \
  __attribute__((constructor)) static void register_##name(void) { AddCase(#name, name); } \
  static void name(void)

/// Makes the case fail, and says what was expected.
#define CHECK(condition) Check((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(left, right) CheckEqual((left), (right), #left " is " #right, __FILE__, __LINE__)

void AddCase(const char *name, void (*run)(void));
void Check(BOOL condition, const char *text, const char *file, int line);
void CheckEqual(id _Nullable left, id _Nullable right, const char *text, const char *file, int line);

/// How long a wait may take at most.
extern const NSTimeInterval Patience;

/// Something that happens once, maybe on another thread. It belongs to the autorelease pool.
@interface Event : NSObject {
@private
  dispatch_semaphore_t _happened;
  int _count;
}
+ (Event *)event;
- (void)happen;
/// Waits until it has happened; fails the case if that takes too long.
- (void)waitFor:(const char *)what;
/// How often it has happened.
@property (readonly) int count;
@end

/// An object whose end is counted, with a name for comparisons.
@interface Probe : NSObject {
@private
  NSString *_name;
}
+ (Probe *)named:(NSString *)name;
@property (readonly) NSString *name;
@end

/// How many objects of the library and of the tests there are.
int LiveObjects(void);

typedef TWLPromise<Probe *, Probe *> P;
typedef TWLResolver<Probe *, Probe *> R;

/// A promise fulfilled with a probe of a name, and its like.
P *Fulfilled(NSString *name);
P *Rejected(NSString *name);
P *Cancelled(void);
P *Pending(R *_Nullable *_Nonnull resolver);

/// `value <name>`, `error <name>`, `cancelled` or `pending`.
NSString *Text(TWLPromise *promise);
/// The same, after waiting for the result.
NSString *AwaitedText(TWLPromise *promise);
/// How a pair of value and error reads: `value <name>`, `error <name>` or `nothing`.
NSString *TextOf(id _Nullable value, id _Nullable error);

/// A serial queue, in a context; the queue belongs to the context.
TWLContext *SerialQueue(const char *label);

/// Runs a block on the main queue, and waits for it.
void OnMain(void (^block)(void));

/// A log that several threads may write to.
@interface Log : NSObject {
@private
  NSMutableArray *_lines;
}
+ (Log *)log;
- (void)add:(NSString *)line;
/// The lines, joined by blanks.
@property (readonly) NSString *text;
@end

NS_ASSUME_NONNULL_END
