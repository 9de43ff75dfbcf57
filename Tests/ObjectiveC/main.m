// Runs the test cases, or only those whose names contain one of the arguments.

#import "Counting.h"

typedef struct {
  const char *name;
  void (*run)(void);
} Case;

static Case cases[1024];
static int caseCount;
static int failures;
static const char *current = "";

void AddCase(const char *name, void (*run)(void)) {
  if (caseCount == sizeof cases / sizeof *cases) abort();
  cases[caseCount++] = (Case){name, run};
}

void Check(BOOL condition, const char *text, const char *file, int line) {
  if (condition) return;
  __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
  printf("FAILED %s\n  %s:%d: %s\n", current, file, line, text);
}

void CheckEqual(id left, id right, const char *text, const char *file, int line) {
  if (left == right || [left isEqual:right]) return;
  Check(NO, text, file, line);
  printf("  it is %s, not %s\n", [[left description] UTF8String], [[right description] UTF8String]);
}

static BOOL IsWanted(const char *name, int count, const char *const *texts) {
  for (int i = 0; i < count; i++) {
    if (strstr(name, texts[i])) return YES;
  }
  return count == 0;
}

static int RunCases(int count, const char *const *texts) {
  int run = 0;
  for (int i = 0; i < caseCount; i++) {
    if (!IsWanted(cases[i].name, count, texts)) continue;
    current = cases[i].name;
    if (getenv("VERBOSE")) printf("%s\n", current), fflush(stdout);
    @autoreleasepool {
      cases[i].run();
    }
    Check(WaitForNoObjects(WaitLimit), "no object is left", current, 0);
    run++;
  }
  printf("Objective-C: %d cases, %d failures%s\n", run, failures, failures ? "" : ", and no object left after any of them");
  fflush(stdout);
  return failures == 0 && run > 0 ? 0 : 1;
}

int main(int argc, const char *argv[]) {
  static const char *const counted[] = {
      "Event", "Log", "Probe", "TWLBlockKeeper", "TWLContext", "TWLDelayedPromise", "TWLInvalidationToken",
      "TWLOperationStart", "TWLPromise", "TWLPromiseCancellable", "TWLPromiseOperation", "TWLPropagation", "TWLResolver",
      "TWLTimeoutError", "TWLWeakReference", "TWLWorkOperation"};
  @autoreleasepool {
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) CountInstances(counted[i]);
  }
  // This thread serves the main queue, and another queue runs the cases.
  [NSThread detachNewThreadSelector:@selector(description) toTarget:@"GNUstep becomes multi-threaded" withObject:nil];
  dispatch_queue_t queue = dispatch_queue_create("cases", NULL);
  dispatch_async(queue, ^{
    exit(RunCases(argc - 1, argv + 1));
  });
  dispatch_main();
}
