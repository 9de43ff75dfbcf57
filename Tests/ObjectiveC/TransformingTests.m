#import "Support.h"

/// Returns the result of `map` with a handler that doubles the name.
static TWLPromise *Mapped(P *promise) {
  return [promise mapOnContext:TWLContext.immediate
                       handler:^id(Probe *value) {
                         return [Probe named:[value.name stringByAppendingString:value.name]];
                       }];
}

CASE(map_fulfils_with_the_value_of_its_handler) { CHECK_EQUAL(Text(Mapped(Fulfilled(@"v"))), @"value vv"); }
CASE(map_passes_an_error_on) { CHECK_EQUAL(Text(Mapped(Rejected(@"e"))), @"error e"); }
CASE(map_passes_a_cancellation_on) { CHECK_EQUAL(Text(Mapped(Cancelled())), @"cancelled"); }

CASE(map_adopts_a_promise) {
  TWLPromise *next = [Fulfilled(@"v") mapOnContext:TWLContext.immediate
                                           handler:^id(Probe *value) {
                                             return Rejected(value.name);
                                           }];
  CHECK_EQUAL(Text(next), @"error v");
}

CASE(map_waits_for_the_promise_that_it_adopts) {
  R *resolver;
  P *inner = Pending(&resolver);
  TWLPromise *next = [Fulfilled(@"v") mapOnContext:TWLContext.immediate
                                           handler:^id(Probe *value) {
                                             (void)value;
                                             return inner;
                                           }];
  CHECK_EQUAL(Text(next), @"pending");
  [resolver fulfillWithValue:[Probe named:@"inner"]];
  CHECK_EQUAL(Text(next), @"value inner");
}

CASE(map_passes_a_request_to_the_promise_that_it_adopts) {
  R *resolver = nil;
  TWLPromise *next;
  @autoreleasepool {
    P *inner = Pending(&resolver);
    [resolver retain];
    next = [[Fulfilled(@"v") mapOnContext:TWLContext.immediate
                                  handler:^id(Probe *value) {
                                    (void)value;
                                    return inner;
                                  }] retain];
  }
  [next requestCancel];
  CHECK(resolver.cancelRequested);
  [resolver release];
  [next release];
}

CASE(map_treats_a_returned_error_object_as_a_value) {
  TWLPromise *next = [Fulfilled(@"v") mapOnContext:TWLContext.immediate
                                           handler:^id(Probe *value) {
                                             return [NSError errorWithDomain:value.name code:1 userInfo:nil];
                                           }];
  NSError *made = nil;
  CHECK([next getValue:&made error:NULL]);
  CHECK_EQUAL(made.domain, @"v");
}

CASE(map_that_returns_nil_is_cancelled) {
  TWLPromise *next = [Fulfilled(@"v") mapOnContext:TWLContext.immediate
                                           handler:^id(Probe *value) {
                                             (void)value;
                                             return (id _Nonnull)nil;
                                           }];
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(map_without_a_context_calls_its_handler) {
  TWLPromise *next = [Fulfilled(@"v") map:^id(Probe *value) {
    return [Probe named:[value.name uppercaseString]];
  }];
  CHECK_EQUAL(AwaitedText(next), @"value V");
}

CASE(map_runs_on_its_context) {
  TWLPromise *next =
      [Fulfilled(@"v") mapOnContext:TWLContext.main
                            handler:^id(Probe *value) {
                              (void)value;
                              return dispatch_get_current_queue() == dispatch_get_main_queue() ? @"main" : @"other";
                            }];
  CHECK_EQUAL(AwaitedText(next), @"value main");
}

CASE(a_chain_of_maps_passes_values_on) {
  CHECK_EQUAL(Text(Mapped(Mapped(Mapped(Fulfilled(@"v"))))), @"value vvvvvvvv");
}

/// Returns the result of `recover` with a handler that returns a value with the name of the error.
static TWLPromise *Recovered(P *promise) {
  return [promise recoverOnContext:TWLContext.immediate
                           handler:^id(Probe *error) {
                             return [Probe named:[@"from " stringByAppendingString:error.name]];
                           }];
}

CASE(recover_fulfils_with_the_value_of_its_handler) { CHECK_EQUAL(Text(Recovered(Rejected(@"e"))), @"value from e"); }
CASE(recover_passes_a_value_on) { CHECK_EQUAL(Text(Recovered(Fulfilled(@"v"))), @"value v"); }
CASE(recover_passes_a_cancellation_on) { CHECK_EQUAL(Text(Recovered(Cancelled())), @"cancelled"); }

CASE(recover_adopts_a_promise) {
  TWLPromise *next = [Rejected(@"e") recoverOnContext:TWLContext.immediate
                                              handler:^id(Probe *error) {
                                                return Rejected([error.name uppercaseString]);
                                              }];
  CHECK_EQUAL(Text(next), @"error E");
}

CASE(recover_without_a_context_calls_its_handler) {
  TWLPromise *next = [Rejected(@"e") recover:^id(Probe *error) {
    return error;
  }];
  CHECK_EQUAL(AwaitedText(next), @"value e");
}

/// Returns the result of `always` with a handler that returns a promise rejected with the handler's arguments.
static TWLPromise *Reported(P *promise) {
  return [promise alwaysOnContext:TWLContext.immediate
                          handler:^TWLPromise *(Probe *value, Probe *error) {
                            return Rejected(TextOf(value, error));
                          }];
}

CASE(always_adopts_a_promise_for_a_value) { CHECK_EQUAL(Text(Reported(Fulfilled(@"v"))), @"error value v"); }
CASE(always_adopts_a_promise_for_an_error) { CHECK_EQUAL(Text(Reported(Rejected(@"e"))), @"error error e"); }
CASE(always_adopts_a_promise_for_a_cancellation) { CHECK_EQUAL(Text(Reported(Cancelled())), @"error nothing"); }

CASE(always_waits_for_the_promise_that_it_adopts) {
  R *resolver;
  P *inner = Pending(&resolver);
  TWLPromise *next = [Fulfilled(@"v") alwaysOnContext:TWLContext.immediate
                                              handler:^TWLPromise *(Probe *value, Probe *error) {
                                                (void)value, (void)error;
                                                return inner;
                                              }];
  CHECK_EQUAL(Text(next), @"pending");
  [resolver cancel];
  CHECK_EQUAL(Text(next), @"cancelled");
}

CASE(always_without_a_context_calls_its_handler) {
  TWLPromise *next = [Rejected(@"e") always:^TWLPromise *(Probe *value, Probe *error) {
    return Fulfilled(TextOf(value, error));
  }];
  CHECK_EQUAL(AwaitedText(next), @"value error e");
}

CASE(a_transform_returns_a_new_promise) {
  P *promise = Fulfilled(@"v");
  CHECK(![Mapped(promise) isEqual:promise]);
  CHECK(![Recovered(promise) isEqual:promise]);
}

static TWLPromise *Countdown(int n) {
  return [Fulfilled(@"v") mapOnContext:TWLContext.immediate
                               handler:^id(Probe *value) {
                                 return n == 0 ? value : (id)Countdown(n - 1);
                               }];
}

CASE(a_recursion_through_map_resolves) { CHECK_EQUAL(AwaitedText(Countdown(500)), @"value v"); }

// The convenience method with two handlers.

static NSString *ThenOrCatch(P *promise) {
  Log *log = [Log log];
  P *next = [promise onContext:TWLContext.immediate
      then:^(Probe *value) {
        [log add:TextOf(value, nil)];
      }
      catch:^(Probe *error) {
        [log add:TextOf(nil, error)];
      }];
  CHECK_EQUAL(Text(next), Text(promise));
  return log.text;
}

CASE(then_catch_calls_the_first_handler_with_a_value) { CHECK_EQUAL(ThenOrCatch(Fulfilled(@"v")), @"value v"); }
CASE(then_catch_calls_the_second_handler_with_an_error) { CHECK_EQUAL(ThenOrCatch(Rejected(@"e")), @"error e"); }
CASE(then_catch_calls_neither_for_a_cancellation) { CHECK_EQUAL(ThenOrCatch(Cancelled()), @""); }

CASE(then_catch_without_a_context_calls_a_handler) {
  Event *ran = [Event event];
  [Rejected(@"e")
       then:^(Probe *value) {
         (void)value;
         CHECK(NO);
       }
      catch:^(Probe *error) {
        (void)error;
        [ran happen];
      }];
  [ran waitFor:"the handler"];
}

CASE(then_catch_is_suppressed_by_its_token) {
  TWLInvalidationToken *token = [[[TWLInvalidationToken alloc] init] autorelease];
  R *resolver;
  P *promise = Pending(&resolver);
  P *next = [promise onContext:TWLContext.immediate
                         token:token
                          then:^(Probe *value) {
                            (void)value;
                            CHECK(NO);
                          }
                         catch:^(Probe *error) {
                           (void)error;
                           CHECK(NO);
                         }];
  [token invalidate];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(next), @"value v");
}
