#import "Counting.h"

#import <objc/runtime.h>
#import <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

typedef struct {
  const char *name;
  Class class;
  IMP dealloc;
  int live;
} Counter;

static Counter counters[32];
static int counterCount;

static IMP rootAlloc;

/// Returns the counter of the class or of its nearest superclass with one.
static Counter *CounterOf(Class class) {
  for (; class; class = class_getSuperclass(class)) {
    for (int i = 0; i < counterCount; i++) {
      if (counters[i].class == class) return &counters[i];
    }
  }
  return NULL;
}

static void Count(Counter *counter, int difference) {
  pthread_mutex_lock(&lock);
  counter->live += difference;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static id CountingAlloc(Class self, SEL selector, NSZone *zone) {
  Counter *counter = CounterOf(self);
  if (counter) Count(counter, 1);
  return ((id(*)(Class, SEL, NSZone *))(void *)rootAlloc)(self, selector, zone);
}

static void CountingDealloc(id self, SEL selector) {
  Counter *counter = CounterOf(object_getClass(self));
  ((void (*)(id, SEL))(void *)counter->dealloc)(self, selector);
  Count(counter, -1);
}

void CountInstances(const char *name) {
  if (!rootAlloc) {
    // This runtime does not let us add a method to a metaclass, only replace an existing one, so the method of the root
    // class is replaced.
    Class root = object_getClass([NSObject class]);
    rootAlloc = class_getMethodImplementation(root, @selector(allocWithZone:));
    class_replaceMethod(root, @selector(allocWithZone:), (IMP)(void *)CountingAlloc, "@@:^v");
  }
  Class class = objc_getClass(name);
  if (!class) printf("there is no class %s\n", name), abort();
  // The runtime initialises a class on its first message; only then can its methods be changed.
  (void)[class class];
  IMP dealloc = class_getMethodImplementation(class, @selector(dealloc));
  counters[counterCount++] = (Counter){.name = name, .class = class, .dealloc = dealloc};
  // Adds an override. Replacing an inherited method would replace the superclass's method.
  IMP counting = (IMP)(void *)CountingDealloc;
  if (!class_addMethod(class, @selector(dealloc), counting, "v@:")) {
    class_replaceMethod(class, @selector(dealloc), counting, "v@:");
  }
}

static int LiveLocked(void) {
  int sum = 0;
  for (int i = 0; i < counterCount; i++) sum += counters[i].live;
  return sum;
}

int LiveObjects(void) {
  pthread_mutex_lock(&lock);
  int sum = LiveLocked();
  pthread_mutex_unlock(&lock);
  return sum;
}

BOOL WaitForNoObjects(NSTimeInterval seconds) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += (time_t)seconds;
  pthread_mutex_lock(&lock);
  int status = 0;
  while (LiveLocked() != 0 && status == 0) status = pthread_cond_timedwait(&changed, &lock, &end);
  for (int i = 0; i < counterCount; i++) {
    if (counters[i].live == 0) continue;
    printf("  %d too many of %s\n", counters[i].live, counters[i].name);
    counters[i].live = 0;
  }
  pthread_mutex_unlock(&lock);
  return status == 0;
}
