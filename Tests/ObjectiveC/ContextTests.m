#import "Support.h"

// Dispatch on Linux has one queue for both user quality-of-service classes.
#if defined(__APPLE__)
#define USER_INTERACTIVE @"com.apple.root.user-interactive-qos"
#else
#define USER_INTERACTIVE @"com.apple.root.user-initiated-qos"
#endif

/// Returns the label of the queue on which a handler with this context runs.
static NSString *PlaceOf(TWLContext *context) {
  Log *log = [Log log];
  P *next = [Fulfilled(@"v") thenOnContext:context
                                   handler:^(Probe *value) {
                                     (void)value;
                                     const char *label = dispatch_queue_get_label(dispatch_get_current_queue());
                                     [log add:[NSString stringWithUTF8String:label ?: "none"]];
                                   }];
  AwaitedText(next);
  return log.text;
}

CASE(the_main_context_is_the_main_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.main), @"com.apple.main-thread");
}

CASE(the_background_context_is_its_global_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.background), @"com.apple.root.background-qos");
}

CASE(the_utility_context_is_its_global_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.utility), @"com.apple.root.utility-qos");
}

CASE(the_defaultQoS_context_is_its_global_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.defaultQoS), @"com.apple.root.default-qos");
}

CASE(the_userInitiated_context_is_its_global_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.userInitiated), @"com.apple.root.user-initiated-qos");
}

CASE(the_userInteractive_context_is_its_global_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.userInteractive), USER_INTERACTIVE);
}

CASE(contextForQoS_accepts_the_quality_of_service_classes) {
  CHECK_EQUAL(PlaceOf([TWLContext contextForQoS:QOS_CLASS_BACKGROUND]), @"com.apple.root.background-qos");
  CHECK_EQUAL(PlaceOf([TWLContext contextForQoS:QOS_CLASS_UTILITY]), @"com.apple.root.utility-qos");
  CHECK_EQUAL(PlaceOf([TWLContext contextForQoS:QOS_CLASS_DEFAULT]), @"com.apple.root.default-qos");
  CHECK_EQUAL(PlaceOf([TWLContext contextForQoS:QOS_CLASS_USER_INITIATED]), @"com.apple.root.user-initiated-qos");
  CHECK_EQUAL(PlaceOf([TWLContext contextForQoS:QOS_CLASS_USER_INTERACTIVE]), USER_INTERACTIVE);
  CHECK_EQUAL(PlaceOf([TWLContext contextForQoS:QOS_CLASS_UNSPECIFIED]), @"com.apple.root.default-qos");
}

CASE(the_automatic_context_is_the_default_queue_off_the_main_queue) {
  CHECK_EQUAL(PlaceOf(TWLContext.automatic), @"com.apple.root.default-qos");
}

CASE(the_automatic_context_is_the_main_queue_on_the_main_queue) {
  __block TWLContext *context;
  OnMain(^{
    context = [TWLContext.automatic retain];
  });
  CHECK_EQUAL(PlaceOf(context), @"com.apple.main-thread");
  [context release];
}

CASE(a_context_of_a_queue_runs_handlers_there) { CHECK_EQUAL(PlaceOf(SerialQueue("a queue")), @"a queue"); }

CASE(initWithQueue_creates_a_context_that_runs_handlers_on_the_queue) {
  dispatch_queue_t queue = dispatch_queue_create("another queue", NULL);
  TWLContext *context = [[[TWLContext alloc] initWithQueue:queue] autorelease];
  dispatch_release(queue);
  CHECK_EQUAL(PlaceOf(context), @"another queue");
}

CASE(contexts_of_queues_with_the_same_label_differ) {
  dispatch_queue_t first = dispatch_queue_create("label", NULL), second = dispatch_queue_create("label", NULL);
  dispatch_suspend(first);
  P *waits = [Fulfilled(@"v") thenOnContext:[TWLContext queue:first]
                                    handler:^(Probe *value) {
                                      (void)value;
                                    }];
  P *runs = [Fulfilled(@"v") thenOnContext:[TWLContext queue:second]
                                   handler:^(Probe *value) {
                                     (void)value;
                                   }];
  CHECK_EQUAL(AwaitedText(runs), @"value v");
  CHECK_EQUAL(Text(waits), @"pending");
  dispatch_resume(first);
  CHECK_EQUAL(AwaitedText(waits), @"value v");
  dispatch_release(first);
  dispatch_release(second);
}

CASE(handlers_on_a_serial_queue_keep_their_order) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLContext *queue = SerialQueue("serial");
  Log *log = [Log log];
  P *last = promise;
  for (int i = 0; i < 5; i++) {
    last = [promise thenOnContext:queue
                          handler:^(Probe *value) {
                            (void)value;
                            [log add:[NSString stringWithFormat:@"%d", i]];
                          }];
  }
  [resolver fulfillWithValue:[Probe named:@"v"]];
  AwaitedText(last);
  CHECK_EQUAL(log.text, @"0 1 2 3 4");
}

CASE(nowOr_runs_in_the_registering_call_if_there_is_a_result) {
  Log *log = [Log log];
  [Fulfilled(@"v") thenOnContext:[TWLContext nowOrContext:TWLContext.utility]
                         handler:^(Probe *value) {
                           [log add:value.name];
                         }];
  CHECK_EQUAL(log.text, @"v");
}

CASE(nowOr_runs_on_its_context_if_there_is_no_result) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  P *next = [promise thenOnContext:[TWLContext nowOrContext:SerialQueue("later")]
                           handler:^(Probe *value) {
                             (void)value;
                             const char *label = dispatch_queue_get_label(dispatch_get_current_queue());
                             [log add:[NSString stringWithUTF8String:label]];
                           }];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  AwaitedText(next);
  CHECK_EQUAL(log.text, @"later");
}

CASE(isExecutingNow_is_true_in_a_handler_that_runs_now) {
  __block BOOL now = NO, nested = NO;
  TWLContext *context = [[[TWLContext alloc] initAsNowOrContext:TWLContext.utility] autorelease];
  [Fulfilled(@"v") thenOnContext:context
                         handler:^(Probe *value) {
                           (void)value;
                           now = TWLContext.isExecutingNow;
                           [Fulfilled(@"v") thenOnContext:TWLContext.immediate
                                                  handler:^(Probe *inner) {
                                                    (void)inner;
                                                    nested = TWLContext.isExecutingNow;
                                                  }];
                         }];
  CHECK(now && nested);
}

CASE(isExecutingNow_is_false_in_other_handlers_and_outside) {
  CHECK(!TWLContext.isExecutingNow);
  __block BOOL immediate = YES, later = YES;
  R *resolver;
  P *promise = Pending(&resolver);
  P *next = [promise thenOnContext:[TWLContext nowOrContext:TWLContext.utility]
                           handler:^(Probe *value) {
                             (void)value;
                             later = TWLContext.isExecutingNow;
                           }];
  [Fulfilled(@"v") thenOnContext:TWLContext.immediate
                         handler:^(Probe *value) {
                           (void)value;
                           immediate = TWLContext.isExecutingNow;
                         }];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  AwaitedText(next);
  CHECK(!immediate && !later);
}

CASE(a_context_of_an_operation_queue_runs_handlers_there) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  Log *log = [Log log];
  P *next = [Fulfilled(@"v") thenOnContext:[TWLContext operationQueue:queue]
                                   handler:^(Probe *value) {
                                     [log add:value.name];
                                   }];
  CHECK_EQUAL(AwaitedText(next), @"value v");
  CHECK_EQUAL(log.text, @"v");
}

CASE(a_suspended_operation_queue_does_not_run_handlers) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  [queue setSuspended:YES];
  TWLContext *context = [[[TWLContext alloc] initWithOperationQueue:queue] autorelease];
  P *next = [Fulfilled(@"v") thenOnContext:context
                                   handler:^(Probe *value) {
                                     (void)value;
                                   }];
  CHECK_EQUAL(Text(next), @"pending");
  CHECK([queue operationCount] == 1);
  [queue setSuspended:NO];
  CHECK_EQUAL(AwaitedText(next), @"value v");
}

CASE(a_cancelled_operation_cancels_the_promise_of_its_handler) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  [queue setSuspended:YES];
  TWLPromise *next = [Fulfilled(@"v") mapOnContext:[TWLContext operationQueue:queue]
                                           handler:^id(Probe *value) {
                                             CHECK(NO);
                                             return value;
                                           }];
  [queue cancelAllOperations];
  CHECK_EQUAL(AwaitedText(next), @"cancelled");
  [queue setSuspended:NO];
  [queue waitUntilAllOperationsAreFinished];
}

CASE(a_chain_passes_values_through_many_contexts) {
  TWLPromise *promise = Fulfilled(@"");
  NSOperationQueue *operations = [[[NSOperationQueue alloc] init] autorelease];
  NSArray *contexts = @[
    TWLContext.immediate, TWLContext.main, TWLContext.utility, SerialQueue("serial"),
    [TWLContext operationQueue:operations], TWLContext.userInitiated
  ];
  for (TWLContext *context in contexts) {
    promise = [promise mapOnContext:context
                            handler:^id(Probe *value) {
                              return [Probe named:[value.name stringByAppendingString:@"x"]];
                            }];
  }
  CHECK_EQUAL(AwaitedText(promise), @"value xxxxxx");
}
