#import "Support.h"

// Delays that must elapse are short; delays that must not elapse take an hour.

static const NSTimeInterval Moment = 0.01, Hour = 3600;

CASE(a_delayed_value_arrives) {
  P *promise = [[TWLPromise newFulfilledWithValue:[Probe named:@"v"] afterDelay:Moment] autorelease];
  CHECK_EQUAL(AwaitedText(promise), @"value v");
}

CASE(a_delayed_error_arrives) {
  P *promise = [[TWLPromise newRejectedWithError:[Probe named:@"e"] afterDelay:Moment] autorelease];
  CHECK_EQUAL(AwaitedText(promise), @"error e");
}

CASE(a_delayed_cancellation_arrives) {
  CHECK_EQUAL(AwaitedText([[TWLPromise newCancelledAfterDelay:Moment] autorelease]), @"cancelled");
}

CASE(a_delayed_value_does_not_arrive_early) {
  P *promise = [[[TWLPromise alloc] initFulfilledWithValue:[Probe named:@"v"] afterDelay:Hour] autorelease];
  CHECK_EQUAL(Text(promise), @"pending");
  [promise requestCancel];
}

static void CancelAndExpect(P *promise) {
  CHECK_EQUAL(Text(promise), @"pending");
  [promise requestCancel];
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(a_delayed_value_can_be_cancelled_immediately) {
  CancelAndExpect([[[TWLPromise alloc] initFulfilledWithValue:[Probe named:@"v"] afterDelay:Hour] autorelease]);
}

CASE(a_delayed_error_can_be_cancelled_immediately) {
  CancelAndExpect([[[TWLPromise alloc] initRejectedWithError:[Probe named:@"e"] afterDelay:Hour] autorelease]);
}

CASE(a_delayed_cancellation_can_be_cancelled_immediately) {
  CancelAndExpect([[[TWLPromise alloc] initCancelledAfterDelay:Hour] autorelease]);
}

/// Returns the label of the queue on which a promise is resolved.
static NSString *PlaceOfResolution(P *promise) {
  Log *log = [Log log];
  P *next = [promise inspectOnContext:TWLContext.immediate
                              handler:^(Probe *value, Probe *error) {
                                (void)value, (void)error;
                                const char *label = dispatch_queue_get_label(dispatch_get_current_queue());
                                [log add:[NSString stringWithUTF8String:label]];
                              }];
  AwaitedText(next);
  return log.text;
}

CASE(a_delayed_value_arrives_on_its_context) {
  TWLContext *queue = SerialQueue("place");
  P *promise = [[TWLPromise newFulfilledOnContext:queue withValue:[Probe named:@"v"] afterDelay:Moment] autorelease];
  CHECK_EQUAL(PlaceOfResolution(promise), @"place");
}

CASE(a_delayed_error_arrives_on_its_context) {
  TWLContext *queue = SerialQueue("place");
  P *promise = [[TWLPromise newRejectedOnContext:queue withError:[Probe named:@"e"] afterDelay:Moment] autorelease];
  CHECK_EQUAL(PlaceOfResolution(promise), @"place");
}

CASE(a_delayed_cancellation_arrives_on_its_context) {
  P *promise = [[TWLPromise newCancelledOnContext:SerialQueue("place") afterDelay:Moment] autorelease];
  CHECK_EQUAL(PlaceOfResolution(promise), @"place");
}

CASE(a_delayed_promise_on_an_operation_queue_adds_its_operation_immediately) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  TWLContext *context = [TWLContext operationQueue:queue];
  P *promise = [[TWLPromise newFulfilledOnContext:context withValue:[Probe named:@"v"] afterDelay:Hour] autorelease];
  CHECK([queue operationCount] == 1);
  CHECK_EQUAL(Text(promise), @"pending");
  [queue cancelAllOperations];
  CHECK_EQUAL(AwaitedText(promise), @"cancelled");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(a_delayed_promise_on_an_operation_queue_resolves) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  TWLContext *context = [TWLContext operationQueue:queue];
  P *promise = [[TWLPromise newFulfilledOnContext:context withValue:[Probe named:@"v"] afterDelay:Moment] autorelease];
  CHECK_EQUAL(AwaitedText(promise), @"value v");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(delay_passes_a_value_on) { CHECK_EQUAL(AwaitedText([Fulfilled(@"v") delay:Moment]), @"value v"); }
CASE(delay_passes_an_error_on) { CHECK_EQUAL(AwaitedText([Rejected(@"e") delay:Moment]), @"error e"); }

CASE(delay_resolves_on_its_context) {
  CHECK_EQUAL(PlaceOfResolution([Fulfilled(@"v") delay:Moment onContext:SerialQueue("place")]), @"place");
}

CASE(delay_on_immediate_behaves_like_automatic) {
  // The delays run one after the other and are long enough, because a promise that has already resolved calls its
  // observer on the registering thread.
  NSString *immediate = PlaceOfResolution([Fulfilled(@"v") delay:0.25 onContext:TWLContext.immediate]);
  NSString *automatic = PlaceOfResolution([Fulfilled(@"v") delay:0.25 onContext:TWLContext.automatic]);
  CHECK_EQUAL(immediate, automatic);
}

CASE(delay_on_an_operation_queue_adds_its_operation_before_the_result) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  TWLContext *context = [TWLContext operationQueue:queue];
  R *resolver;
  P *promise = [Pending(&resolver) delay:Moment onContext:context];
  CHECK([queue operationCount] == 1);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(AwaitedText(promise), @"value v");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(a_delay_on_an_operation_queue_is_queued_before_later_operations) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  [queue setSuspended:YES];
  TWLContext *context = [TWLContext operationQueue:queue];
  R *first, *second;
  P *delayed = [Pending(&first) delay:Hour onContext:context];
  CHECK([queue operationCount] == 1);
  TWLPromise *limited = [Pending(&second) timeoutOnContext:context withDelay:Hour];
  CHECK([queue operationCount] == 2);
  P *later = [[TWLPromise newFulfilledOnContext:context withValue:[Probe named:@"v"] afterDelay:Hour] autorelease];
  CHECK([queue operationCount] == 3);
  NSArray *before = [queue operations];
  NSOperation *last = [[[NSOperation alloc] init] autorelease];
  [queue addOperation:last];
  CHECK([[queue operations] indexOfObject:last] == 3);
  CHECK([[[queue operations] subarrayWithRange:NSMakeRange(0, 3)] isEqual:before]);
  [queue setSuspended:NO];
  [second fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(AwaitedText(limited), @"value v");
  [queue cancelAllOperations];
  CHECK_EQUAL(AwaitedText(delayed), @"cancelled");
  CHECK_EQUAL(AwaitedText(later), @"cancelled");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(cancelling_the_operation_of_a_delay_cancels_it_before_the_result) {
  NSOperationQueue *queue = [[[NSOperationQueue alloc] init] autorelease];
  TWLContext *context = [TWLContext operationQueue:queue];
  R *resolver;
  P *promise = [Pending(&resolver) delay:Hour onContext:context];
  [queue cancelAllOperations];
  CHECK_EQUAL(AwaitedText(promise), @"cancelled");
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(promise), @"cancelled");
  [queue waitUntilAllOperationsAreFinished];
}

CASE(delay_passes_a_request_to_cancel_on) {
  R *resolver;
  P *delayed;
  @autoreleasepool {
    delayed = [[Pending(&resolver) delay:Hour] retain];
    [resolver retain];
  }
  [delayed requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver cancel];
  CHECK_EQUAL(AwaitedText(delayed), @"cancelled");
  [resolver release], [delayed release];
}

CASE(timeout_passes_a_value_on) { CHECK_EQUAL(AwaitedText([Fulfilled(@"v") timeoutWithDelay:Hour]), @"value v"); }
CASE(timeout_passes_a_cancellation_on) { CHECK_EQUAL(AwaitedText([Cancelled() timeoutWithDelay:Hour]), @"cancelled"); }

CASE(timeout_wraps_an_error) {
  TWLPromise<Probe *, TWLTimeoutError<Probe *> *> *promise = [Rejected(@"e") timeoutWithDelay:Hour];
  AwaitedText(promise);
  TWLTimeoutError<Probe *> *error = nil;
  CHECK([promise getValue:NULL error:&error]);
  CHECK(!error.timedOut);
  CHECK_EQUAL(error.rejectedError.name, @"e");
}

CASE(timeout_rejects_after_the_time_limit) {
  R *resolver;
  P *source = Pending(&resolver);
  TWLPromise<Probe *, TWLTimeoutError<Probe *> *> *promise = [source timeoutWithDelay:Moment];
  AwaitedText(promise);
  TWLTimeoutError<Probe *> *error = nil;
  CHECK([promise getValue:NULL error:&error]);
  CHECK(error.timedOut);
  CHECK(error.rejectedError == nil);
}

CASE(timeout_requests_cancellation_after_the_time_limit) {
  R *resolver;
  TWLPromise *promise;
  Event *asked = [Event event];
  @autoreleasepool {
    promise = [[Pending(&resolver) timeoutWithDelay:Moment] retain];
    [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                   handler:^(R *inner) {
                                     [inner cancel];
                                     [asked happen];
                                   }];
    [resolver retain];
  }
  [asked waitFor:"the request"];
  AwaitedText(promise);
  [resolver release], [promise release];
}

CASE(timeout_rejects_on_its_context) {
  R *resolver;
  P *source = Pending(&resolver);
  CHECK_EQUAL(PlaceOfResolution((P *)[source timeoutOnContext:SerialQueue("place") withDelay:Moment]), @"place");
}

CASE(timeout_of_zero_rejects_immediately_on_the_immediate_context) {
  R *resolver;
  TWLPromise *promise = [Pending(&resolver) timeoutOnContext:TWLContext.immediate withDelay:0];
  CHECK_EQUAL(Text(promise), @"error the promise timed out");
}

CASE(ten_thousand_timeouts_of_fulfilled_promises_leave_no_object) {
  for (int i = 0; i < 10000; i++) {
    @autoreleasepool {
      R *resolver;
      (void)[Pending(&resolver) timeoutWithDelay:Hour];
      [resolver fulfillWithValue:[Probe named:@"v"]];
    }
  }
}

CASE(a_timeout_error_without_a_rejected_error_is_timed_out) {
  TWLTimeoutError *error = [[TWLTimeoutError newTimedOut] autorelease];
  CHECK(error.timedOut && error.rejectedError == nil);
  CHECK_EQUAL(error.description, @"the promise timed out");
}

CASE(a_timeout_error_wraps_the_error) {
  TWLTimeoutError<Probe *> *error = [[TWLTimeoutError newWithRejectedError:[Probe named:@"e"]] autorelease];
  CHECK(!error.timedOut);
  CHECK_EQUAL(error.rejectedError.name, @"e");
  CHECK_EQUAL(error.description, @"e");
}

CASE(timeout_errors_are_equal_if_their_errors_are) {
  TWLTimeoutError *up = [[[TWLTimeoutError alloc] initTimedOut] autorelease];
  TWLTimeoutError *one = [[[TWLTimeoutError alloc] initWithRejectedError:@"e"] autorelease];
  TWLTimeoutError *same = [[[TWLTimeoutError alloc] initWithRejectedError:@"e"] autorelease];
  CHECK_EQUAL(one, same);
  CHECK(one.hash == same.hash);
  CHECK(![one isEqual:up]);
  CHECK_EQUAL(up, [[TWLTimeoutError newTimedOut] autorelease]);
}
