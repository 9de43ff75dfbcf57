#import "Support.h"

typedef TWLPromiseOperation<Probe *, Probe *> O;

static O *Operation(NSString *name) {
  return [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                    handler:^(R *resolver) {
                                      [resolver fulfillWithValue:[Probe named:name]];
                                    }] autorelease];
}

static NSOperationQueue *Queue(void) { return [[[NSOperationQueue alloc] init] autorelease]; }

// Delayed promises.

CASE(a_delayed_promise_does_not_start_before_it_is_requested) {
  Event *started = [Event event];
  TWLDelayedPromise<Probe *, Probe *> *delayed =
      [[TWLDelayedPromise newOnContext:TWLContext.immediate
                               handler:^(R *resolver) {
                                 [started happen];
                                 [resolver fulfillWithValue:[Probe named:@"v"]];
                               }] autorelease];
  CHECK(started.count == 0);
  CHECK_EQUAL(Text(delayed.promise), @"value v");
  CHECK(started.count == 1);
}

CASE(a_delayed_promise_starts_once_and_always_returns_the_same_promise) {
  Event *started = [Event event];
  TWLDelayedPromise<Probe *, Probe *> *delayed =
      [[[TWLDelayedPromise alloc] initOnContext:TWLContext.utility
                                        handler:^(R *resolver) {
                                          [started happen];
                                          [resolver fulfillWithValue:[Probe named:@"v"]];
                                        }] autorelease];
  P *first = delayed.promise;
  CHECK_EQUAL(AwaitedText(first), @"value v");
  CHECK(delayed.promise == first);
  CHECK(started.count == 1);
}

CASE(a_delayed_promise_that_many_threads_request_starts_once) {
  Event *started = [Event event];
  TWLDelayedPromise<Probe *, Probe *> *delayed =
      [[TWLDelayedPromise newOnContext:TWLContext.immediate
                               handler:^(R *resolver) {
                                 [started happen];
                                 [resolver fulfillWithValue:[Probe named:@"v"]];
                               }] autorelease];
  dispatch_apply(8, dispatch_get_global_queue(0, 0), ^(size_t i) {
    (void)i;
    @autoreleasepool {
      CHECK_EQUAL(AwaitedText(delayed.promise), @"value v");
    }
  });
  CHECK(started.count == 1);
}

CASE(a_delayed_promise_that_is_never_requested_releases_its_handler) {
  Probe *captured = [Probe named:@"captured"];
  @autoreleasepool {
    [[TWLDelayedPromise newOnContext:TWLContext.immediate
                             handler:^(R *resolver) {
                               [resolver fulfillWithValue:captured];
                             }] autorelease];
  }
  CHECK(LiveObjects() == 1);
}

CASE(a_delayed_promise_on_nowOr_runs_on_the_inner_context) {
  TWLDelayedPromise<Probe *, Probe *> *delayed =
      [[TWLDelayedPromise newOnContext:[TWLContext nowOrContext:SerialQueue("inside")]
                               handler:^(R *resolver) {
                                 const char *label = dispatch_queue_get_label(dispatch_get_current_queue());
                                 [resolver fulfillWithValue:[Probe named:[NSString stringWithUTF8String:label]]];
                               }] autorelease];
  CHECK_EQUAL(AwaitedText(delayed.promise), @"value inside");
}

// Operations.

CASE(an_operation_does_not_run_before_it_is_started) {
  O *operation = Operation(@"v");
  CHECK_EQUAL(Text(operation.promise), @"pending");
  CHECK(!operation.isExecuting && !operation.isFinished && !operation.isCancelled);
  [operation start];
  CHECK_EQUAL(Text(operation.promise), @"value v");
  CHECK(!operation.isExecuting && operation.isFinished);
}

CASE(an_operation_on_nowOr_runs_on_the_inner_context) {
  O *operation =
      [[TWLPromiseOperation newOnContext:[TWLContext nowOrContext:SerialQueue("inside")]
                                 handler:^(R *resolver) {
                                   const char *label = dispatch_queue_get_label(dispatch_get_current_queue());
                                   [resolver fulfillWithValue:[Probe named:[NSString stringWithUTF8String:label]]];
                                 }] autorelease];
  [operation start];
  CHECK_EQUAL(AwaitedText(operation.promise), @"value inside");
}

CASE(a_started_operation_executes_until_its_promise_is_resolved) {
  __block R *kept = nil;
  O *operation = [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                            handler:^(R *resolver) {
                                              kept = [resolver retain];
                                            }] autorelease];
  CHECK(operation.isConcurrent);
  [operation start];
  CHECK(operation.isExecuting && !operation.isFinished);
  [kept fulfillWithValue:[Probe named:@"v"]];
  CHECK(!operation.isExecuting && operation.isFinished);
  [kept release];
}

CASE(an_operation_runs_once) {
  Event *ran = [Event event];
  O *operation = [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                            handler:^(R *resolver) {
                                              [ran happen];
                                              [resolver cancel];
                                            }] autorelease];
  [operation start];
  [operation start];
  CHECK(ran.count == 1);
}

CASE(a_queue_runs_an_operation) {
  NSOperationQueue *queue = Queue();
  O *operation = Operation(@"v");
  [queue addOperation:operation];
  CHECK_EQUAL(AwaitedText(operation.promise), @"value v");
  [queue waitUntilAllOperationsAreFinished];
  CHECK(operation.isFinished);
}

CASE(an_operation_is_finished_before_a_handler_of_its_promise_runs) {
  O *operation = Operation(@"v");
  __block BOOL isFinished = NO;
  O *unretained = operation;
  [operation.promise thenOnContext:TWLContext.immediate
                           handler:^(Probe *value) {
                             (void)value;
                             isFinished = unretained.isFinished;
                           }];
  [operation start];
  CHECK(isFinished);
}

CASE(an_operation_waits_for_its_dependencies) {
  NSOperationQueue *queue = Queue();
  Log *log = [Log log];
  O *first = [[TWLPromiseOperation newOnContext:TWLContext.utility
                                        handler:^(R *resolver) {
                                          [log add:@"first"];
                                          [resolver fulfillWithValue:[Probe named:@"1"]];
                                        }] autorelease];
  O *second = [[TWLPromiseOperation newOnContext:TWLContext.utility
                                         handler:^(R *resolver) {
                                           [log add:@"second"];
                                           [resolver fulfillWithValue:[Probe named:@"2"]];
                                         }] autorelease];
  [second addDependency:first];
  [queue addOperation:second];
  [queue addOperation:first];
  CHECK_EQUAL(AwaitedText(second.promise), @"value 2");
  // Until its promise is resolved, the first operation may still be notifying its dependents.
  CHECK_EQUAL(AwaitedText(first.promise), @"value 1");
  CHECK_EQUAL(log.text, @"first second");
  [queue waitUntilAllOperationsAreFinished];
  [second removeDependency:first];
}

CASE(a_queue_limits_the_number_of_running_operations) {
  NSOperationQueue *queue = Queue();
  [queue setMaxConcurrentOperationCount:1];
  __block R *kept = nil;
  Event *started = [Event event];
  O *first = [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                        handler:^(R *resolver) {
                                          kept = [resolver retain];
                                          [started happen];
                                        }] autorelease];
  O *second = Operation(@"2");
  [queue addOperation:first];
  [queue addOperation:second];
  [started waitFor:"the first operation"];
  CHECK_EQUAL(Text(second.promise), @"pending");
  [kept fulfillWithValue:[Probe named:@"1"]];
  [kept release];
  CHECK_EQUAL(AwaitedText(second.promise), @"value 2");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(a_cancelled_operation_does_not_run_its_handler) {
  O *operation = [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                            handler:^(R *resolver) {
                                              (void)resolver;
                                              CHECK(NO);
                                            }] autorelease];
  [operation cancel];
  CHECK(operation.isCancelled);
  CHECK_EQUAL(Text(operation.promise), @"pending");
  [operation start];
  CHECK_EQUAL(Text(operation.promise), @"cancelled");
  CHECK(operation.isFinished);
}

CASE(a_cancelled_operation_leaves_its_queue) {
  NSOperationQueue *queue = Queue();
  [queue setSuspended:YES];
  O *operation = Operation(@"v");
  [queue addOperation:operation];
  [operation cancel];
  [queue setSuspended:NO];
  CHECK_EQUAL(AwaitedText(operation.promise), @"cancelled");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(cancelling_an_operation_requests_cancellation_of_its_promise) {
  __block R *kept = nil;
  O *operation = [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                            handler:^(R *resolver) {
                                              kept = [resolver retain];
                                            }] autorelease];
  [operation start];
  CHECK(!kept.cancelRequested);
  [operation cancel];
  CHECK(kept.cancelRequested);
  [kept cancel];
  CHECK(operation.isFinished);
  [kept release];
}

CASE(cancelling_its_promise_cancels_the_operation) {
  O *operation = Operation(@"v");
  [operation.promise requestCancel];
  CHECK(operation.isCancelled);
  [operation start];
  CHECK_EQUAL(Text(operation.promise), @"cancelled");
}

CASE(requests_of_all_children_of_its_promise_cancel_an_operation) {
  O *operation = Operation(@"v");
  @autoreleasepool {
    P *first = [operation.promise makeChild], *second = [operation.promise makeChild];
    [first requestCancel];
    CHECK(!operation.isCancelled);
    [second requestCancel];
  }
  CHECK(operation.isCancelled);
  [operation start];
}

CASE(releasing_an_unstarted_operation_cancels_its_promise) {
  P *promise;
  @autoreleasepool {
    promise = [Operation(@"v").promise retain];
  }
  CHECK_EQUAL(Text(promise), @"cancelled");
  [promise release];
}

CASE(an_operation_that_has_run_releases_its_handler) {
  O *operation;
  int before = LiveObjects();
  @autoreleasepool {
    Probe *captured = [Probe named:@"captured"];
    operation = [TWLPromiseOperation newOnContext:TWLContext.immediate
                                          handler:^(R *resolver) {
                                            (void)captured.name;
                                            [resolver cancel];
                                          }];
    [operation start];
  }
  // The operation, its promise, and the reference back.
  CHECK(LiveObjects() == before + 3);
  [operation release];
}

CASE(fifty_operations_on_a_queue_fulfil_their_promises) {
  NSOperationQueue *queue = Queue();
  [queue setMaxConcurrentOperationCount:4];
  NSMutableArray *promises = [NSMutableArray array];
  for (int i = 0; i < 50; i++) {
    O *operation = [[TWLPromiseOperation newOnContext:TWLContext.utility
                                              handler:^(R *resolver) {
                                                [resolver fulfillWithValue:[Probe named:@"v"]];
                                              }] autorelease];
    [promises addObject:operation.promise];
    [queue addOperation:operation];
  }
  TWLPromise<NSArray *, Probe *> *all = [TWLPromise whenFulfilled:promises];
  AwaitedText(all);
  NSArray *values = nil;
  CHECK([all getValue:&values error:NULL]);
  CHECK(values.count == 50);
  [queue waitUntilAllOperationsAreFinished];
}

CASE(a_request_during_the_block_of_an_operation_reaches_the_block) {
  for (TWLContext *context in @[ TWLContext.immediate, [TWLContext nowOrContext:TWLContext.immediate] ]) {
    Log *log = [Log log];
    __block O *running = nil;
    O *operation = [[TWLPromiseOperation newOnContext:context
                                              handler:^(R *resolver) {
                                                [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                                                               handler:^(R *inner) {
                                                                                 [log add:@"asked"];
                                                                                 [inner cancel];
                                                                               }];
                                                [running cancel];
                                                [log add:resolver.cancelRequested ? @"requested" : @"missed"];
                                                [resolver fulfillWithValue:[Probe named:@"late"]];
                                              }] autorelease];
    running = operation;
    [operation start];
    CHECK_EQUAL(log.text, @"asked requested");
    CHECK_EQUAL(Text(operation.promise), @"cancelled");
    CHECK(operation.isFinished);
  }
}

CASE(a_cancel_handler_keeps_an_operation_executing_after_its_block_ended) {
  O *operation = [[TWLPromiseOperation newOnContext:TWLContext.immediate
                                            handler:^(R *resolver) {
                                              [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                                                             handler:^(R *inner) {
                                                                               [inner fulfillWithValue:[Probe named:@"part"]];
                                                                             }];
                                            }] autorelease];
  [operation start];
  CHECK(operation.isExecuting);
  [operation cancel];
  CHECK_EQUAL(Text(operation.promise), @"value part");
}
