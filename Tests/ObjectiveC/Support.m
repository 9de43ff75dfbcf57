#import "Support.h"

const NSTimeInterval WaitLimit = 30;

@implementation Event

+ (Event *)event {
  return [[[Event alloc] init] autorelease];
}

- (id)init {
  self = [super init];
  if (self) _happened = dispatch_semaphore_create(0);
  return self;
}

- (void)dealloc {
  dispatch_release(_happened);
  [super dealloc];
}

- (void)happen {
  @synchronized(self) {
    _count++;
  }
  dispatch_semaphore_signal(_happened);
}

- (void)waitFor:(const char *)what {
  dispatch_time_t end = dispatch_time(DISPATCH_TIME_NOW, (int64_t)(WaitLimit * NSEC_PER_SEC));
  Check(dispatch_semaphore_wait(_happened, end) == 0, what, "timed out", 0);
}

- (int)count {
  @synchronized(self) {
    return _count;
  }
}

@end

@implementation Probe

+ (Probe *)named:(NSString *)name {
  Probe *probe = [[[Probe alloc] init] autorelease];
  probe->_name = [name copy];
  return probe;
}

- (void)dealloc {
  [_name release];
  [super dealloc];
}

- (NSString *)name {
  return _name;
}

- (NSString *)description {
  return _name;
}

@end

@implementation Log

+ (Log *)log {
  Log *log = [[[Log alloc] init] autorelease];
  log->_lines = [[NSMutableArray alloc] init];
  return log;
}

- (void)dealloc {
  [_lines release];
  [super dealloc];
}

- (void)add:(NSString *)line {
  @synchronized(self) {
    [_lines addObject:line];
  }
}

- (NSString *)text {
  @synchronized(self) {
    return [_lines componentsJoinedByString:@" "];
  }
}

@end

P *Fulfilled(NSString *name) {
  return [[TWLPromise newFulfilledWithValue:[Probe named:name]] autorelease];
}

P *Rejected(NSString *name) {
  return [[TWLPromise newRejectedWithError:[Probe named:name]] autorelease];
}

P *Cancelled(void) {
  return [[TWLPromise newCancelled] autorelease];
}

P *Pending(R **resolver) {
  return [[[TWLPromise alloc] initWithResolver:resolver] autorelease];
}

NSString *TextOf(id value, id error) {
  if (value) return [NSString stringWithFormat:@"value %@", value];
  if (error) return [NSString stringWithFormat:@"error %@", error];
  return @"nothing";
}

NSString *Text(TWLPromise *promise) {
  id value = nil, error = nil;
  if (![promise getValue:&value error:&error]) return @"pending";
  return value || error ? TextOf(value, error) : @"cancelled";
}

NSString *AwaitedText(TWLPromise *promise) {
  Event *resolved = [Event event];
  [promise tapOnContext:TWLContext.immediate
                handler:^(id value, id error) {
                  (void)value, (void)error;
                  [resolved happen];
                }];
  [resolved waitFor:"the promise to resolve"];
  return Text(promise);
}

TWLContext *SerialQueue(const char *label) {
  dispatch_queue_t queue = dispatch_queue_create(label, NULL);
  TWLContext *context = [TWLContext queue:queue];
  dispatch_release(queue);
  return context;
}

void OnMain(void (^block)(void)) {
  dispatch_sync(dispatch_get_main_queue(), ^{
    @autoreleasepool {
      block();
    }
  });
}
