#import "Support.h"

static P *Child(P *promise) {
  return [promise thenOnContext:TWLContext.immediate
                        handler:^(Probe *value) {
                          (void)value;
                        }];
}

/// Returns a resolver whose promise has one child and no other owner. The resolver and the child are autoreleased.
static R *ResolverWithChild(P **child, P * (^derive)(P *)) {
  R *resolver;
  @autoreleasepool {
    P *promise = Pending(&resolver);
    [resolver retain];
    *child = [derive(promise) retain];
  }
  [*child autorelease];
  return [resolver autorelease];
}

CASE(requestCancel_of_a_resolved_promise_does_nothing) {
  P *promise = Fulfilled(@"v");
  [promise requestCancel];
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(requestCancel_leaves_a_promise_pending_until_its_resolver_is_used) {
  R *resolver;
  P *promise = Pending(&resolver);
  [promise requestCancel];
  CHECK_EQUAL(Text(promise), @"pending");
  CHECK(resolver.cancelRequested);
}

CASE(a_request_by_the_only_child_reaches_a_promise_without_owners) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return Child(promise);
  });
  CHECK(!resolver.cancelRequested);
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(a_request_by_a_child_does_not_reach_a_retained_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [Child(promise) requestCancel];
  CHECK(!resolver.cancelRequested);
}

CASE(a_request_is_passed_on_when_the_last_owner_releases) {
  R *resolver;
  P *promise;
  @autoreleasepool {
    promise = [Pending(&resolver) retain];
    [resolver retain];
    [Child(promise) requestCancel];
  }
  CHECK(!resolver.cancelRequested);
  [promise release];
  CHECK(resolver.cancelRequested);
  [resolver release];
}

CASE(a_promise_without_children_is_not_cancelled_when_it_is_released) {
  R *resolver;
  @autoreleasepool {
    Pending(&resolver);
    [resolver retain];
  }
  CHECK(!resolver.cancelRequested);
  [resolver release];
}

CASE(all_children_must_request_cancellation) {
  R *resolver;
  P *first, *second;
  @autoreleasepool {
    P *promise = Pending(&resolver);
    [resolver retain];
    first = [Child(promise) retain];
    second = [Child(promise) retain];
  }
  [first requestCancel];
  CHECK(!resolver.cancelRequested);
  [second requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver release], [first release], [second release];
}

CASE(a_request_passes_up_a_chain) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return Child(Child(Child(promise)));
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(a_cancellation_passes_down_a_chain) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return Child(Child(promise));
  });
  [resolver cancel];
  CHECK_EQUAL(Text(child), @"cancelled");
}

CASE(tap_does_not_pass_a_request_on) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return [promise tap];
  });
  [child requestCancel];
  CHECK(!resolver.cancelRequested);
}

CASE(tap_does_not_block_the_request_of_another_child) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    [promise tapOnContext:TWLContext.immediate
                  handler:^(Probe *value, Probe *error) {
                    (void)value, (void)error;
                  }];
    return Child(promise);
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(whenCancelled_passes_a_request_on_as_the_only_child) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return [promise whenCancelledOnContext:TWLContext.immediate
                                   handler:^{
                                   }];
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(whenCancelled_does_not_block_the_request_of_another_child) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    [promise whenCancelledOnContext:TWLContext.immediate
                            handler:^{
                            }];
    return Child(promise);
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(ignoringCancel_does_not_pass_a_request_on) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return [promise ignoringCancel];
  });
  [child requestCancel];
  CHECK(!resolver.cancelRequested);
}

CASE(ignoringCancel_blocks_the_request_of_another_child) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    (void)[promise ignoringCancel];
    return Child(promise);
  });
  [child requestCancel];
  CHECK(!resolver.cancelRequested);
}

CASE(ignoringCancel_is_cancelled_with_its_promise) {
  R *resolver;
  P *ignoring = [Pending(&resolver) ignoringCancel];
  [resolver cancel];
  CHECK_EQUAL(Text(ignoring), @"cancelled");
}

CASE(makeChild_returns_a_child_with_the_result_and_a_vote) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return [promise makeChild];
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(child), @"value v");
}

CASE(two_children_by_makeChild_must_both_request_cancellation) {
  R *resolver;
  P *first, *second;
  @autoreleasepool {
    P *promise = Pending(&resolver);
    [resolver retain];
    first = [[promise makeChild] retain];
    second = [[promise makeChild] retain];
  }
  [first requestCancel];
  CHECK(!resolver.cancelRequested);
  [second requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver release], [first release], [second release];
}

CASE(a_cancellable_requests_cancellation_of_its_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  id<TWLCancellable> cancellable = promise.cancellable;
  [cancellable requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(a_cancellable_does_not_retain_its_promise) {
  id<TWLCancellable> cancellable;
  int before = LiveObjects();
  @autoreleasepool {
    cancellable = [Fulfilled(@"v").cancellable retain];
  }
  CHECK(LiveObjects() == before + 1);
  [cancellable requestCancel];
  [cancellable release];
}
