#import "Support.h"

static P *Child(P *promise) {
  return [promise thenOnContext:TWLContext.immediate
                        handler:^(Probe *value) {
                          (void)value;
                        }];
}

/// A resolver whose promise has one child, held by the caller, and no other holder.
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

CASE(requestCancel_leaves_a_promise_pending_until_somebody_answers) {
  R *resolver;
  P *promise = Pending(&resolver);
  [promise requestCancel];
  CHECK_EQUAL(Text(promise), @"pending");
  CHECK(resolver.cancelRequested);
}

CASE(a_request_goes_from_the_only_child_to_a_promise_that_nobody_holds) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return Child(promise);
  });
  CHECK(!resolver.cancelRequested);
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(a_request_does_not_go_to_a_promise_that_somebody_holds) {
  R *resolver;
  P *promise = Pending(&resolver);
  [Child(promise) requestCancel];
  CHECK(!resolver.cancelRequested);
}

CASE(a_request_goes_on_when_the_last_holder_lets_go) {
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

CASE(a_promise_without_children_is_not_cancelled_when_it_is_let_go) {
  R *resolver;
  @autoreleasepool {
    Pending(&resolver);
    [resolver retain];
  }
  CHECK(!resolver.cancelRequested);
  [resolver release];
}

CASE(all_children_have_to_ask) {
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

CASE(a_request_goes_up_a_chain) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return Child(Child(Child(promise)));
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(a_cancellation_comes_down_a_chain) {
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

CASE(tap_does_not_keep_others_from_cancelling) {
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

CASE(whenCancelled_does_not_keep_others_from_cancelling) {
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

CASE(ignoringCancel_keeps_others_from_cancelling) {
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

CASE(makeChild_has_the_result_and_a_vote) {
  P *child;
  R *resolver = ResolverWithChild(&child, ^(P *promise) {
    return [promise makeChild];
  });
  [child requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(child), @"value v");
}

CASE(two_children_by_makeChild_have_to_ask_both) {
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

CASE(a_cancellable_asks_its_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  id<TWLCancellable> cancellable = promise.cancellable;
  [cancellable requestCancel];
  CHECK(resolver.cancelRequested);
}

CASE(a_cancellable_does_not_keep_its_promise) {
  id<TWLCancellable> cancellable;
  int before = LiveObjects();
  @autoreleasepool {
    cancellable = [Fulfilled(@"v").cancellable retain];
  }
  CHECK(LiveObjects() == before + 1);
  [cancellable requestCancel];
  [cancellable release];
}

// Propagating cancellation.

CASE(a_propagating_promise_asks_although_it_is_held) {
  R *resolver;
  P *held;
  @autoreleasepool {
    held = [[Pending(&resolver) propagatingCancellationOnContext:TWLContext.immediate
                                          cancelRequestedHandler:^(P *promise) {
                                            (void)promise;
                                          }] retain];
    [resolver retain];
  }
  @autoreleasepool {
    [[held makeChild] requestCancel];
  }
  CHECK(resolver.cancelRequested);
  [resolver release];
  [held release];
}

CASE(a_propagating_promise_waits_for_all_its_children) {
  R *resolver;
  P *held;
  @autoreleasepool {
    held = [[Pending(&resolver) propagatingCancellationOnContext:TWLContext.immediate
                                          cancelRequestedHandler:^(P *promise) {
                                            (void)promise;
                                          }] retain];
    [resolver retain];
  }
  P *first = [held makeChild], *second = [held makeChild];
  [first requestCancel];
  CHECK(!resolver.cancelRequested);
  [second requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver release];
  [held release];
}

CASE(the_handler_of_a_propagating_promise_gets_that_very_object) {
  R *resolver;
  Event *called = [Event event];
  __block P *expected = nil;
  P *held = [Pending(&resolver) propagatingCancellationOnContext:TWLContext.immediate
                                          cancelRequestedHandler:^(P *promise) {
                                            CHECK(promise == expected);
                                            [called happen];
                                          }];
  expected = held;
  [held requestCancel];
  CHECK(called.count == 1);
}

CASE(the_handler_of_a_propagating_promise_that_nobody_holds_gets_one_with_the_result) {
  R *resolver;
  P *child;
  Log *log = [Log log];
  @autoreleasepool {
    P *held = [Pending(&resolver) propagatingCancellationOnContext:TWLContext.immediate
                                            cancelRequestedHandler:^(P *promise) {
                                              [log add:Text(promise)];
                                            }];
    [resolver retain];
    child = [[held makeChild] retain];
  }
  [child requestCancel];
  CHECK_EQUAL(log.text, @"pending");
  [resolver release];
  [child release];
}

CASE(the_handler_of_a_propagating_promise_runs_on_its_context) {
  R *resolver;
  Event *called = [Event event];
  P *held = [Pending(&resolver) propagatingCancellationOnContext:TWLContext.main
                                          cancelRequestedHandler:^(P *promise) {
                                            (void)promise;
                                            CHECK(dispatch_get_current_queue() == dispatch_get_main_queue());
                                            [called happen];
                                          }];
  [held requestCancel];
  [called waitFor:"the handler"];
}

CASE(a_propagating_promise_has_the_result) {
  P *held = [Fulfilled(@"v") propagatingCancellationOnContext:TWLContext.immediate
                                       cancelRequestedHandler:^(P *promise) {
                                         (void)promise;
                                         CHECK(NO);
                                       }];
  CHECK_EQUAL(Text(held), @"value v");
}

CASE(a_propagating_promise_is_released_whoever_lets_go_last) {
  for (int i = 0; i < 200; i++) {
    @autoreleasepool {
      R *resolver;
      P *held = [[Pending(&resolver) propagatingCancellationOnContext:TWLContext.immediate
                                               cancelRequestedHandler:^(P *promise) {
                                                 (void)Text(promise);
                                               }] retain];
      id<TWLCancellable> cancellable = held.cancellable;
      dispatch_apply(2, dispatch_get_global_queue(0, 0), ^(size_t side) {
        @autoreleasepool {
          if (side == 0) {
            [held release];
          } else {
            [cancellable requestCancel];
          }
        }
      });
    }
  }
}

// Objects whose end cancels.

CASE(requestCancelOnDealloc_asks_when_the_object_goes) {
  R *resolver;
  P *promise = Pending(&resolver);
  @autoreleasepool {
    Probe *owner = [Probe named:@"owner"];
    CHECK([promise requestCancelOnDealloc:owner] == promise);
    CHECK(!resolver.cancelRequested);
  }
  CHECK(resolver.cancelRequested);
}

CASE(requestCancelOnDealloc_serves_many_promises_of_one_object) {
  R *first, *second;
  P *one = Pending(&first), *other = Pending(&second);
  @autoreleasepool {
    Probe *owner = [Probe named:@"owner"];
    [one requestCancelOnDealloc:owner];
    [other requestCancelOnDealloc:owner];
  }
  CHECK(first.cancelRequested);
  CHECK(second.cancelRequested);
}

CASE(requestCancelOnDealloc_tells_objects_of_one_class_apart) {
  R *first, *second;
  P *one = Pending(&first), *other = Pending(&second);
  Probe *kept = [Probe named:@"kept"];
  [other requestCancelOnDealloc:kept];
  @autoreleasepool {
    [one requestCancelOnDealloc:[Probe named:@"owner"]];
  }
  CHECK(first.cancelRequested);
  CHECK(!second.cancelRequested);
}

CASE(requestCancelOnDealloc_does_not_change_the_class_that_one_sees) {
  Probe *owner = [Probe named:@"owner"];
  [Fulfilled(@"v") requestCancelOnDealloc:owner];
  CHECK([owner class] == [Probe class]);
  CHECK([owner isKindOfClass:[Probe class]]);
  CHECK_EQUAL(owner.name, @"owner");
}

CASE(requestCancelOnDealloc_does_not_keep_the_promise) {
  Probe *owner = [Probe named:@"owner"];
  @autoreleasepool {
    [Fulfilled(@"v") requestCancelOnDealloc:owner];
  }
  // The owner, and the token that goes with it.
  CHECK(LiveObjects() == 2);
}

CASE(requestCancelOnDealloc_takes_an_object_that_lives_for_ever) {
  R *resolver;
  [Pending(&resolver) requestCancelOnDealloc:@"a literal"];
  CHECK(!resolver.cancelRequested);
}
