#import "Support.h"

CASE(a_fulfilled_promise_has_its_value) {
  Probe *value = [Probe named:@"v"], *found = nil, *error = value;
  P *promise = [[[TWLPromise alloc] initFulfilledWithValue:value] autorelease];
  CHECK([promise getValue:&found error:&error]);
  CHECK(found == value);
  CHECK(error == nil);
}

CASE(a_rejected_promise_has_its_error) {
  Probe *error = [Probe named:@"e"], *found = nil, *value = error;
  P *promise = [[[TWLPromise alloc] initRejectedWithError:error] autorelease];
  CHECK([promise getValue:&value error:&found]);
  CHECK(found == error);
  CHECK(value == nil);
}

CASE(a_cancelled_promise_is_resolved_without_value_or_error) {
  Probe *value = [Probe named:@"v"], *error = value;
  P *promise = [[[TWLPromise alloc] initCancelled] autorelease];
  CHECK([promise getValue:&value error:&error]);
  CHECK(value == nil && error == nil);
}

CASE(a_pending_promise_is_not_resolved) {
  R *resolver;
  P *promise = Pending(&resolver);
  Probe *value = [Probe named:@"v"], *error = value;
  CHECK(![promise getValue:&value error:&error]);
  CHECK(value == nil && error == nil);
}

CASE(a_result_can_be_checked_with_null_pointers) {
  CHECK([Fulfilled(@"v") getValue:NULL error:NULL]);
  CHECK([Rejected(@"e") getValue:NULL error:NULL]);
}

CASE(newFulfilledWithValue_creates_a_fulfilled_promise) { CHECK_EQUAL(Text(Fulfilled(@"v")), @"value v"); }
CASE(newRejectedWithError_creates_a_rejected_promise) { CHECK_EQUAL(Text(Rejected(@"e")), @"error e"); }
CASE(newCancelled_creates_a_cancelled_promise) { CHECK_EQUAL(Text(Cancelled()), @"cancelled"); }

CASE(a_body_on_the_immediate_context_runs_before_the_initialiser_returns) {
  P *promise = [[TWLPromise newOnContext:TWLContext.immediate
                               withBlock:^(R *resolver) {
                                 [resolver fulfillWithValue:[Probe named:@"v"]];
                               }] autorelease];
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(a_body_on_nowOr_runs_before_the_initialiser_returns) {
  P *promise = [[[TWLPromise alloc] initOnContext:[TWLContext nowOrContext:TWLContext.utility]
                                        withBlock:^(R *resolver) {
                                          [resolver rejectWithError:[Probe named:@"e"]];
                                        }] autorelease];
  CHECK_EQUAL(Text(promise), @"error e");
}

CASE(a_body_on_a_queue_runs_there) {
  Event *mayRun = [Event event];
  P *promise = [[TWLPromise newOnContext:TWLContext.utility
                               withBlock:^(R *resolver) {
                                 [mayRun waitFor:"permission to resolve"];
                                 [resolver fulfillWithValue:[Probe named:@"v"]];
                               }] autorelease];
  CHECK_EQUAL(Text(promise), @"pending");
  [mayRun happen];
  CHECK_EQUAL(AwaitedText(promise), @"value v");
}

CASE(a_body_on_main_runs_on_the_main_queue) {
  P *promise = [[TWLPromise newOnContext:TWLContext.main
                               withBlock:^(R *resolver) {
                                 BOOL isMain = dispatch_get_current_queue() == dispatch_get_main_queue();
                                 [resolver fulfillWithValue:[Probe named:isMain ? @"main" : @"elsewhere"]];
                               }] autorelease];
  CHECK_EQUAL(AwaitedText(promise), @"value main");
}

CASE(a_body_that_releases_its_resolver_cancels_the_promise) {
  P *promise = [[TWLPromise newOnContext:TWLContext.immediate
                               withBlock:^(R *resolver) {
                                 (void)resolver;
                               }] autorelease];
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(a_body_may_retain_its_resolver) {
  NSMutableArray *kept = [NSMutableArray array];
  P *promise = [[TWLPromise newOnContext:TWLContext.immediate
                               withBlock:^(R *resolver) {
                                 [kept addObject:resolver];
                               }] autorelease];
  CHECK_EQUAL(Text(promise), @"pending");
  [(R *)kept.lastObject fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(a_body_that_has_run_is_released) {
  P *promise;
  @autoreleasepool {
    Probe *captured = [Probe named:@"captured"];
    promise = [TWLPromise newOnContext:TWLContext.immediate
                             withBlock:^(R *resolver) {
                               [resolver fulfillWithValue:(id)captured.name];
                             }];
  }
  CHECK(LiveObjects() == 1);
  [promise release];
}

CASE(a_value_lives_as_long_as_its_promise) {
  P *promise;
  @autoreleasepool {
    promise = [Fulfilled(@"v") retain];
  }
  CHECK(LiveObjects() == 2);
  [promise release];
  CHECK(LiveObjects() == 0);
}

CASE(fulfilling_or_rejecting_with_nil_cancels) {
  CHECK_EQUAL(Text([[[TWLPromise alloc] initFulfilledWithValue:(id _Nonnull)nil] autorelease]), @"cancelled");
  CHECK_EQUAL(Text([[[TWLPromise alloc] initRejectedWithError:(id _Nonnull)nil] autorelease]), @"cancelled");
}

CASE(a_promise_is_equal_to_itself_only) {
  P *one = Fulfilled(@"v"), *other = Fulfilled(@"v");
  P *same = [[[TWLPromise alloc] initWithHandle:one.handle] autorelease];
  CHECK_EQUAL(one, same);
  CHECK(one.hash == same.hash);
  CHECK(![one isEqual:other]);
  CHECK(![one isEqual:@"v"]);
}

CASE(a_promise_made_from_the_handle_of_another_has_its_result) {
  R *resolver;
  P *promise = Pending(&resolver);
  P *back = [[[TWLPromise alloc] initWithHandle:promise.handle] autorelease];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(back), @"value v");
}

CASE(a_thousand_promises_are_deallocated) {
  for (int i = 0; i < 1000; i++) {
    @autoreleasepool {
      R *resolver;
      P *promise = Pending(&resolver);
      [promise thenOnContext:TWLContext.immediate
                     handler:^(Probe *value) {
                       (void)value;
                     }];
      [resolver fulfillWithValue:[Probe named:@"v"]];
    }
    CHECK(LiveObjects() == 0);
  }
}
