#import "Support.h"

// The arguments of each observer's handler for each result.

CASE(then_receives_a_value) {
  Log *log = [Log log];
  P *next = [Fulfilled(@"v") thenOnContext:TWLContext.immediate
                                   handler:^(Probe *value) {
                                     [log add:value.name];
                                   }];
  CHECK_EQUAL(log.text, @"v");
  CHECK_EQUAL(Text(next), @"value v");
}

CASE(then_is_not_called_for_an_error) {
  Log *log = [Log log];
  P *next = [Rejected(@"e") thenOnContext:TWLContext.immediate
                                  handler:^(Probe *value) {
                                    [log add:value.name];
                                  }];
  CHECK_EQUAL(log.text, @"");
  CHECK_EQUAL(Text(next), @"error e");
}

CASE(then_is_not_called_for_a_cancellation) {
  Log *log = [Log log];
  P *next = [Cancelled() thenOnContext:TWLContext.immediate
                               handler:^(Probe *value) {
                                 [log add:value.name];
                               }];
  CHECK_EQUAL(log.text, @"");
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(catch_receives_an_error) {
  Log *log = [Log log];
  P *next = [Rejected(@"e") catchOnContext:TWLContext.immediate
                                   handler:^(Probe *error) {
                                     [log add:error.name];
                                   }];
  CHECK_EQUAL(log.text, @"e");
  CHECK_EQUAL(Text(next), @"error e");
}

CASE(catch_is_not_called_for_a_value) {
  Log *log = [Log log];
  P *next = [Fulfilled(@"v") catchOnContext:TWLContext.immediate
                                    handler:^(Probe *error) {
                                      [log add:error.name];
                                    }];
  CHECK_EQUAL(log.text, @"");
  CHECK_EQUAL(Text(next), @"value v");
}

CASE(catch_is_not_called_for_a_cancellation) {
  Log *log = [Log log];
  P *next = [Cancelled() catchOnContext:TWLContext.immediate
                                handler:^(Probe *error) {
                                  [log add:error.name];
                                }];
  CHECK_EQUAL(log.text, @"");
  CHECK_EQUAL(Text(next), @"cancelled");
}

static void InspectAndExpect(P *promise, NSString *heard, NSString *result) {
  Log *log = [Log log];
  P *next = [promise inspectOnContext:TWLContext.immediate
                              handler:^(Probe *value, Probe *error) {
                                [log add:TextOf(value, error)];
                              }];
  CHECK_EQUAL(log.text, heard);
  CHECK_EQUAL(Text(next), result);
}

CASE(inspect_receives_a_value) { InspectAndExpect(Fulfilled(@"v"), @"value v", @"value v"); }
CASE(inspect_receives_an_error) { InspectAndExpect(Rejected(@"e"), @"error e", @"error e"); }
CASE(inspect_is_called_for_a_cancellation) { InspectAndExpect(Cancelled(), @"nothing", @"cancelled"); }

static void TapAndExpect(P *promise, NSString *heard) {
  Log *log = [Log log];
  P *next = [promise tapOnContext:TWLContext.immediate
                          handler:^(Probe *value, Probe *error) {
                            [log add:TextOf(value, error)];
                          }];
  CHECK_EQUAL(log.text, heard);
  CHECK(next == promise);
}

CASE(tap_receives_a_value_and_returns_its_receiver) { TapAndExpect(Fulfilled(@"v"), @"value v"); }
CASE(tap_receives_an_error_and_returns_its_receiver) { TapAndExpect(Rejected(@"e"), @"error e"); }
CASE(tap_is_called_for_a_cancellation_and_returns_its_receiver) { TapAndExpect(Cancelled(), @"nothing"); }

CASE(tap_without_a_handler_returns_another_promise_with_the_result) {
  P *promise = Fulfilled(@"v");
  P *tapped = [promise tap];
  CHECK(![tapped isEqual:promise]);
  CHECK_EQUAL(Text(tapped), @"value v");
}

static void WatchForCancelAndExpect(P *promise, NSString *heard, NSString *result) {
  Log *log = [Log log];
  P *next = [promise whenCancelledOnContext:TWLContext.immediate
                                    handler:^{
                                      [log add:@"cancelled"];
                                    }];
  CHECK_EQUAL(log.text, heard);
  CHECK_EQUAL(Text(next), result);
}

CASE(whenCancelled_is_called_for_a_cancellation) { WatchForCancelAndExpect(Cancelled(), @"cancelled", @"cancelled"); }
CASE(whenCancelled_is_not_called_for_a_value) { WatchForCancelAndExpect(Fulfilled(@"v"), @"", @"value v"); }
CASE(whenCancelled_is_not_called_for_an_error) { WatchForCancelAndExpect(Rejected(@"e"), @"", @"error e"); }

// The forms without a context.

CASE(then_without_a_context_runs_off_the_main_queue_when_registered_off_it) {
  Event *ran = [Event event];
  P *next = [Fulfilled(@"v") then:^(Probe *value) {
    CHECK_EQUAL(value.name, @"v");
    CHECK(dispatch_get_current_queue() != dispatch_get_main_queue());
    [ran happen];
  }];
  [ran waitFor:"the handler"];
  CHECK_EQUAL(AwaitedText(next), @"value v");
}

CASE(then_and_catch_pass_on_a_cancellation_immediately) {
  void (^handler)(Probe *) = ^(Probe *value) {
    (void)value;
    CHECK(NO);
  };
  CHECK_EQUAL(Text([Cancelled() onContext:TWLContext.main then:handler catch:handler]), @"cancelled");
  R *resolver;
  P *next = [Pending(&resolver) onContext:TWLContext.main then:handler catch:handler];
  [resolver cancel];
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(catch_without_a_context_calls_its_handler) {
  Event *ran = [Event event];
  [Rejected(@"e") catch:^(Probe *error) {
    CHECK_EQUAL(error.name, @"e");
    [ran happen];
  }];
  [ran waitFor:"the handler"];
}

CASE(inspect_without_a_context_calls_its_handler) {
  Event *ran = [Event event];
  [Rejected(@"e") inspect:^(Probe *value, Probe *error) {
    CHECK_EQUAL(TextOf(value, error), @"error e");
    [ran happen];
  }];
  [ran waitFor:"the handler"];
}

CASE(tap_without_a_context_calls_its_handler) {
  Event *ran = [Event event];
  [Fulfilled(@"v") tap:^(Probe *value, Probe *error) {
    CHECK_EQUAL(TextOf(value, error), @"value v");
    [ran happen];
  }];
  [ran waitFor:"the handler"];
}

CASE(whenCancelled_without_a_context_calls_its_handler) {
  Event *ran = [Event event];
  [Cancelled() whenCancelled:^{
    [ran happen];
  }];
  [ran waitFor:"the handler"];
}

CASE(then_without_a_context_runs_on_main_when_registered_there) {
  Event *ran = [Event event];
  OnMain(^{
    [Fulfilled(@"v") then:^(Probe *value) {
      (void)value;
      CHECK(dispatch_get_current_queue() == dispatch_get_main_queue());
      [ran happen];
    }];
  });
  [ran waitFor:"the handler"];
}

// Order and lifetime.

CASE(observers_run_in_the_order_of_their_registration) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  for (NSString *name in @[ @"a", @"b", @"c", @"d" ]) {
    [promise thenOnContext:TWLContext.immediate
                   handler:^(Probe *value) {
                     (void)value;
                     [log add:name];
                   }];
  }
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(log.text, @"a b c d");
}

CASE(observers_of_different_kinds_run_in_the_order_of_their_registration) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  [promise tapOnContext:TWLContext.immediate
                handler:^(Probe *value, Probe *error) {
                  [log add:TextOf(value, error)];
                }];
  [promise catchOnContext:TWLContext.immediate
                  handler:^(Probe *error) {
                    [log add:error.name];
                  }];
  [promise inspectOnContext:TWLContext.immediate
                    handler:^(Probe *value, Probe *error) {
                      [log add:TextOf(value, error)];
                    }];
  [resolver rejectWithError:[Probe named:@"e"]];
  CHECK_EQUAL(log.text, @"error e e error e");
}

CASE(a_step_does_not_start_before_the_previous_step_has_ended) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  P *first = [promise thenOnContext:TWLContext.utility
                            handler:^(Probe *value) {
                              (void)value;
                              [log add:@"begin"];
                              [log add:@"end"];
                            }];
  P *second = [first thenOnContext:TWLContext.userInitiated
                           handler:^(Probe *value) {
                             (void)value;
                             [log add:@"next"];
                           }];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(AwaitedText(second), @"value v");
  CHECK_EQUAL(log.text, @"begin end next");
}

CASE(a_handler_registered_by_a_handler_of_the_same_promise_runs) {
  P *promise = Fulfilled(@"v");
  Log *log = [Log log];
  [promise thenOnContext:TWLContext.immediate
                 handler:^(Probe *value) {
                   [log add:value.name];
                   [promise thenOnContext:TWLContext.immediate
                                  handler:^(Probe *again) {
                                    [log add:again.name];
                                  }];
                 }];
  CHECK_EQUAL(log.text, @"v v");
}

CASE(a_handler_that_has_run_is_released) {
  P *promise = [Fulfilled(@"v") retain];
  int before = LiveObjects();
  @autoreleasepool {
    Probe *captured = [Probe named:@"captured"];
    [promise thenOnContext:TWLContext.immediate
                   handler:^(Probe *value) {
                     (void)value, (void)captured.name;
                   }];
  }
  CHECK(LiveObjects() == before);
  [promise release];
}

CASE(a_handler_that_will_not_run_is_released) {
  P *promise = Rejected(@"e");
  int before = LiveObjects();
  @autoreleasepool {
    Probe *captured = [Probe named:@"captured"];
    [promise thenOnContext:TWLContext.immediate
                   handler:^(Probe *value) {
                     (void)value, (void)captured.name;
                   }];
  }
  CHECK(LiveObjects() == before);
}

CASE(a_handler_retains_its_captures_until_it_has_run) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  @autoreleasepool {
    Probe *captured = [Probe named:@"captured"];
    [promise thenOnContext:TWLContext.immediate
                   handler:^(Probe *value) {
                     (void)value;
                     [log add:captured.name];
                   }];
  }
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(log.text, @"captured");
}

CASE(a_handler_may_change_a_block_variable) {
  R *resolver;
  P *promise = Pending(&resolver);
  __block int calls = 0;
  [promise thenOnContext:TWLContext.immediate
                 handler:^(Probe *value) {
                   (void)value;
                   calls++;
                 }];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK(calls == 1);
}

CASE(a_handler_needs_no_autorelease_pool_of_its_own) {
  Event *ran = [Event event];
  P *next = [Fulfilled(@"v") thenOnContext:TWLContext.utility
                                   handler:^(Probe *value) {
                                     [Probe named:[value.name stringByAppendingString:@"!"]];
                                     [ran happen];
                                   }];
  [ran waitFor:"the handler"];
  CHECK_EQUAL(AwaitedText(next), @"value v");
}

CASE(a_chain_of_ten_thousand_links_resolves_and_is_released) {
  R *resolver;
  P *last;
  @autoreleasepool {
    P *promise = Pending(&resolver);
    [resolver retain];
    for (int i = 0; i < 10000; i++) {
      promise = [promise thenOnContext:TWLContext.immediate
                               handler:^(Probe *value) {
                                 (void)value;
                               }];
    }
    last = [promise retain];
  }
  @autoreleasepool {
    [resolver fulfillWithValue:[Probe named:@"v"]];
    CHECK_EQUAL(Text(last), @"value v");
  }
  [resolver release];
  [last release];
}

CASE(observers_from_many_threads_all_run) {
  R *resolver;
  P *promise = Pending(&resolver);
  __block int calls = 0;
  Event *allRan = [Event event];
  dispatch_apply(200, dispatch_get_global_queue(0, 0), ^(size_t i) {
    @autoreleasepool {
      if (i == 100) [resolver fulfillWithValue:[Probe named:@"v"]];
      [promise thenOnContext:TWLContext.immediate
                     handler:^(Probe *value) {
                       (void)value;
                       if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == 200) [allRan happen];
                     }];
    }
  });
  [allRan waitFor:"all handlers"];
}
