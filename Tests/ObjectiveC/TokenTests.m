#import "Support.h"

static TWLInvalidationToken *Token(void) { return [[[TWLInvalidationToken alloc] init] autorelease]; }

CASE(an_invalidated_token_suppresses_then) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  P *next = [promise thenOnContext:TWLContext.immediate
                             token:token
                           handler:^(Probe *value) {
                             (void)value;
                             CHECK(NO);
                           }];
  [token invalidate];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(next), @"value v");
}

CASE(an_invalidated_token_suppresses_catch) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  P *next = [promise catchOnContext:TWLContext.immediate
                              token:token
                            handler:^(Probe *error) {
                              (void)error;
                              CHECK(NO);
                            }];
  [token invalidate];
  [resolver rejectWithError:[Probe named:@"e"]];
  CHECK_EQUAL(Text(next), @"error e");
}

CASE(an_invalidated_token_suppresses_inspect_and_tap) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  void (^fail)(Probe *, Probe *) = ^(Probe *value, Probe *error) {
    (void)value, (void)error;
    CHECK(NO);
  };
  [promise inspectOnContext:TWLContext.immediate token:token handler:fail];
  [promise tapOnContext:TWLContext.immediate token:token handler:fail];
  [token invalidate];
  [resolver rejectWithError:[Probe named:@"e"]];
}

CASE(an_invalidated_token_suppresses_whenCancelled) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  [promise whenCancelledOnContext:TWLContext.immediate
                            token:token
                          handler:^{
                            CHECK(NO);
                          }];
  [token invalidate];
  [resolver cancel];
}

CASE(an_invalidated_token_cancels_the_promise_of_map) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  TWLPromise *next = [promise mapOnContext:TWLContext.immediate
                                     token:token
                                   handler:^id(Probe *value) {
                                     CHECK(NO);
                                     return value;
                                   }];
  [token invalidate];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(an_invalidated_token_cancels_the_promise_of_recover) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  TWLPromise *next = [promise recoverOnContext:TWLContext.immediate
                                         token:token
                                       handler:^id(Probe *error) {
                                         CHECK(NO);
                                         return error;
                                       }];
  [token invalidate];
  [resolver rejectWithError:[Probe named:@"e"]];
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(an_invalidated_token_cancels_the_promise_of_always) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  TWLPromise *next = [promise alwaysOnContext:TWLContext.immediate
                                        token:token
                                      handler:^TWLPromise *(Probe *value, Probe *error) {
                                        (void)value, (void)error;
                                        CHECK(NO);
                                        return promise;
                                      }];
  [token invalidate];
  [resolver rejectWithError:[Probe named:@"e"]];
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(a_token_that_is_not_invalidated_lets_handlers_run) {
  Log *log = [Log log];
  [Fulfilled(@"v") thenOnContext:TWLContext.immediate
                           token:Token()
                         handler:^(Probe *value) {
                           [log add:value.name];
                         }];
  CHECK_EQUAL(log.text, @"v");
}

CASE(a_handler_registered_after_the_invalidation_runs) {
  TWLInvalidationToken *token = Token();
  [token invalidate];
  Log *log = [Log log];
  [Fulfilled(@"v") thenOnContext:TWLContext.immediate
                           token:token
                         handler:^(Probe *value) {
                           [log add:value.name];
                         }];
  CHECK_EQUAL(log.text, @"v");
}

CASE(an_invalidation_suppresses_a_handler_that_waits_for_its_queue) {
  dispatch_queue_t queue = dispatch_queue_create("suspended", NULL);
  dispatch_suspend(queue);
  TWLInvalidationToken *token = Token();
  P *next = [Fulfilled(@"v") thenOnContext:[TWLContext queue:queue]
                                     token:token
                                   handler:^(Probe *value) {
                                     (void)value;
                                     CHECK(NO);
                                   }];
  [token invalidate];
  dispatch_resume(queue);
  CHECK_EQUAL(AwaitedText(next), @"value v");
  dispatch_release(queue);
}

CASE(an_invalidation_requests_cancellation_of_registered_promises) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  CHECK([promise requestCancelOnInvalidate:token] == promise);
  CHECK(!resolver.cancelRequested);
  [token invalidate];
  CHECK(resolver.cancelRequested);
}

CASE(requestCancelOnInvalidate_of_a_token_registers_a_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  [token requestCancelOnInvalidate:promise];
  [token invalidate];
  CHECK(resolver.cancelRequested);
}

CASE(an_invalidation_does_not_reach_a_promise_registered_later) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  [token invalidate];
  [promise requestCancelOnInvalidate:token];
  CHECK(!resolver.cancelRequested);
}

CASE(cancelWithoutInvalidating_requests_cancellation_and_suppresses_nothing) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  Log *log = [Log log];
  [promise requestCancelOnInvalidate:token];
  [promise thenOnContext:TWLContext.immediate
                   token:token
                 handler:^(Probe *value) {
                   [log add:value.name];
                 }];
  [token cancelWithoutInvalidating];
  CHECK(resolver.cancelRequested);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(log.text, @"v");
}

CASE(a_token_invalidates_itself_when_it_is_deallocated) {
  R *resolver;
  P *promise = Pending(&resolver);
  @autoreleasepool {
    TWLInvalidationToken *token = [TWLInvalidationToken newInvalidateOnDealloc:YES];
    [promise requestCancelOnInvalidate:token];
    [promise thenOnContext:TWLContext.immediate
                     token:token
                   handler:^(Probe *value) {
                     (void)value;
                     CHECK(NO);
                   }];
    [token release];
  }
  CHECK(resolver.cancelRequested);
  [resolver fulfillWithValue:[Probe named:@"v"]];
}

CASE(a_token_with_invalidateOnDealloc_NO_is_not_invalidated_by_its_deallocation) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  @autoreleasepool {
    TWLInvalidationToken *token = [[[TWLInvalidationToken alloc] initInvalidateOnDealloc:NO] autorelease];
    [promise requestCancelOnInvalidate:token];
    [promise thenOnContext:TWLContext.immediate
                     token:token
                   handler:^(Probe *value) {
                     [log add:value.name];
                   }];
  }
  CHECK(!resolver.cancelRequested);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(log.text, @"v");
}

CASE(a_token_does_not_retain_a_registered_promise) {
  TWLInvalidationToken *token = Token();
  @autoreleasepool {
    [Fulfilled(@"v") requestCancelOnInvalidate:token];
  }
  CHECK(LiveObjects() == 1);
}

CASE(a_chained_token_follows_an_invalidation) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *parent = Token(), *child = Token();
  [child chainInvalidationFromToken:parent];
  [promise requestCancelOnInvalidate:child];
  [parent invalidate];
  CHECK(resolver.cancelRequested);
}

CASE(a_chained_token_follows_a_cancellation) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *parent = Token(), *child = Token();
  [child chainInvalidationFromToken:parent];
  [promise requestCancelOnInvalidate:child];
  [parent cancelWithoutInvalidating];
  CHECK(resolver.cancelRequested);
}

CASE(a_chained_token_may_ignore_cancelWithoutInvalidating) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *parent = Token(), *child = Token();
  [child chainInvalidationFromToken:parent includingCancelWithoutInvalidating:NO];
  [promise requestCancelOnInvalidate:child];
  [parent cancelWithoutInvalidating];
  CHECK(!resolver.cancelRequested);
  [parent invalidate];
  CHECK(resolver.cancelRequested);
}

CASE(an_invalidation_of_a_child_does_not_reach_the_parent) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *parent = Token(), *child = Token();
  [child chainInvalidationFromToken:parent];
  [promise requestCancelOnInvalidate:parent];
  [child invalidate];
  CHECK(!resolver.cancelRequested);
}

CASE(an_invalidation_passes_along_a_cycle_of_tokens) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *one = Token(), *other = Token();
  [one chainInvalidationFromToken:other];
  [other chainInvalidationFromToken:one];
  [promise requestCancelOnInvalidate:other];
  [one invalidate];
  CHECK(resolver.cancelRequested);
}

CASE(a_token_made_from_the_handle_of_another_invalidates_it) {
  R *resolver;
  P *promise = Pending(&resolver);
  TWLInvalidationToken *token = Token();
  TWLInvalidationToken *back = [[[TWLInvalidationToken alloc] initWithHandle:token.handle] autorelease];
  [promise requestCancelOnInvalidate:token];
  [back invalidate];
  CHECK(resolver.cancelRequested);
}
