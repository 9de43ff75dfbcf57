#import "Support.h"

static NSString *Names(TWLPromise<NSArray<Probe *> *, Probe *> *promise) {
  NSArray<Probe *> *values = nil;
  Probe *error = nil;
  if (![promise getValue:&values error:&error]) return @"pending";
  if (error) return TextOf(nil, error);
  return values ? [values componentsJoinedByString:@" "] : @"cancelled";
}

CASE(whenFulfilled_returns_the_values_in_order) {
  CHECK_EQUAL(Names([TWLPromise whenFulfilled:@[ Fulfilled(@"a"), Fulfilled(@"b"), Fulfilled(@"c") ]]), @"a b c");
}

CASE(whenFulfilled_keeps_the_order_although_the_second_promise_resolves_first) {
  R *first, *second;
  TWLPromise *all = [TWLPromise whenFulfilled:@[ Pending(&first), Pending(&second) ]];
  [second fulfillWithValue:[Probe named:@"b"]];
  CHECK_EQUAL(Names(all), @"pending");
  [first fulfillWithValue:[Probe named:@"a"]];
  CHECK_EQUAL(Names(all), @"a b");
}

CASE(whenFulfilled_of_an_empty_array_is_fulfilled_with_an_empty_array) {
  NSArray *values = nil;
  CHECK([[TWLPromise whenFulfilled:@[]] getValue:&values error:NULL]);
  CHECK_EQUAL(values, @[]);
}

CASE(whenFulfilled_rejects_with_the_first_error) {
  R *resolver;
  TWLPromise *all = [TWLPromise whenFulfilled:@[ Pending(&resolver), Rejected(@"e"), Rejected(@"f") ]];
  CHECK_EQUAL(Names(all), @"error e");
  CHECK(!resolver.cancelRequested);
}

CASE(whenFulfilled_is_cancelled_by_the_first_cancellation) {
  R *resolver;
  CHECK_EQUAL(Names([TWLPromise whenFulfilled:@[ Pending(&resolver), Cancelled() ]]), @"cancelled");
}

CASE(whenFulfilled_accepts_a_quality_of_service) {
  CHECK_EQUAL(Names([TWLPromise whenFulfilled:@[ Fulfilled(@"a") ] qos:QOS_CLASS_UTILITY]), @"a");
  CHECK_EQUAL(Names([TWLPromise whenFulfilled:@[ Fulfilled(@"a") ] qos:QOS_CLASS_UTILITY cancelOnFailure:YES]), @"a");
}

CASE(whenFulfilled_cancels_the_others_if_requested) {
  R *resolver, *failing;
  NSArray *promises = @[ Pending(&resolver), Pending(&failing) ];
  TWLPromise *all = [TWLPromise whenFulfilled:promises cancelOnFailure:YES];
  CHECK(!resolver.cancelRequested);
  [failing rejectWithError:[Probe named:@"e"]];
  CHECK(resolver.cancelRequested);
  CHECK_EQUAL(Names(all), @"error e");
}

CASE(a_request_to_cancel_whenFulfilled_reaches_every_promise) {
  R *first, *second;
  TWLPromise *all;
  @autoreleasepool {
    all = [[TWLPromise whenFulfilled:@[ Pending(&first), Pending(&second) ]] retain];
    [first retain], [second retain];
  }
  [all requestCancel];
  CHECK(first.cancelRequested);
  CHECK(second.cancelRequested);
  [first release], [second release], [all release];
}

CASE(whenFulfilled_returns_a_thousand_values_resolved_concurrently) {
  NSMutableArray *promises = [NSMutableArray array], *resolvers = [NSMutableArray array];
  for (int i = 0; i < 1000; i++) {
    R *resolver;
    [promises addObject:Pending(&resolver)];
    [resolvers addObject:resolver];
  }
  TWLPromise<NSArray<Probe *> *, Probe *> *all = [TWLPromise whenFulfilled:promises];
  dispatch_apply(1000, dispatch_get_global_queue(0, 0), ^(size_t i) {
    @autoreleasepool {
      [(R *)[resolvers objectAtIndex:i] fulfillWithValue:[Probe named:[NSString stringWithFormat:@"%zu", i]]];
    }
  });
  NSArray<Probe *> *values = nil;
  CHECK([all getValue:&values error:NULL]);
  CHECK(values.count == 1000);
  CHECK_EQUAL([[values objectAtIndex:777] name], @"777");
}

CASE(race_returns_the_first_value) {
  R *resolver;
  CHECK_EQUAL(Text([TWLPromise race:@[ Pending(&resolver), Fulfilled(@"b"), Fulfilled(@"c") ]]), @"value b");
}

CASE(race_resolves_with_the_body_that_does_not_block) {
  dispatch_semaphore_t isOver = dispatch_semaphore_create(0);
  NSMutableArray<P *> *promises = [NSMutableArray array];
  for (int number = 0; number < 5; number += 1) {
    P *promise = [[TWLPromise alloc] initOnContext:TWLContext.utility
                                         withBlock:^(R *resolver) {
                                             if (number < 4) {
                                               dispatch_semaphore_wait(isOver, dispatch_time(DISPATCH_TIME_NOW, 20 * NSEC_PER_SEC));
                                               dispatch_semaphore_signal(isOver);
                                             }
                                             [resolver fulfillWithValue:[Probe named:number < 4 ? @"late" : @"soon"]];
                                           }];
    [promises addObject:promise];
    [promise release];
  }
  P *first = [TWLPromise race:promises];
  CHECK_EQUAL(AwaitedText(first), @"value soon");
  dispatch_semaphore_signal(isOver);
  for (P *promise in promises) AwaitedText(promise);
  dispatch_release(isOver);
}

CASE(race_returns_the_first_error) {
  R *resolver;
  CHECK_EQUAL(Text([TWLPromise race:@[ Pending(&resolver), Rejected(@"e"), Fulfilled(@"c") ]]), @"error e");
}

CASE(race_ignores_cancellations) {
  CHECK_EQUAL(Text([TWLPromise race:@[ Cancelled(), Fulfilled(@"b") ]]), @"value b");
}

CASE(race_is_cancelled_if_all_are) { CHECK_EQUAL(Text([TWLPromise race:@[ Cancelled(), Cancelled() ]]), @"cancelled"); }
CASE(race_of_an_empty_array_is_cancelled) { CHECK_EQUAL(Text([TWLPromise race:@[]]), @"cancelled"); }

CASE(race_does_not_cancel_the_others_by_default) {
  R *resolver;
  [TWLPromise race:@[ Pending(&resolver), Fulfilled(@"b") ]];
  CHECK(!resolver.cancelRequested);
}

CASE(race_cancels_the_others_if_requested) {
  R *resolver;
  [TWLPromise race:@[ Pending(&resolver), Fulfilled(@"b") ] cancelRemaining:YES];
  CHECK(resolver.cancelRequested);
}

CASE(a_request_to_cancel_race_reaches_every_promise) {
  R *first, *second;
  TWLPromise *winner;
  @autoreleasepool {
    winner = [[TWLPromise race:@[ Pending(&first), Pending(&second) ]] retain];
    [first retain], [second retain];
  }
  [winner requestCancel];
  CHECK(first.cancelRequested);
  CHECK(second.cancelRequested);
  [first release], [second release], [winner release];
}
