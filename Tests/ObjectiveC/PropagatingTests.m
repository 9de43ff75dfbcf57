#import "Support.h"

// Propagating cancellation.

CASE(a_propagating_promise_passes_on_a_request_although_it_is_retained) {
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

CASE(the_handler_of_a_propagating_promise_receives_the_same_object) {
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

CASE(the_handler_of_a_deallocated_propagating_promise_receives_an_equivalent_promise) {
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

CASE(a_propagating_promise_is_deallocated_while_cancellation_is_requested) {
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
