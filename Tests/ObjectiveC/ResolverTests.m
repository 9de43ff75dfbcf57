#import "Support.h"

CASE(fulfillWithValue_fulfils_the_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(rejectWithError_rejects_the_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver rejectWithError:[Probe named:@"e"]];
  CHECK_EQUAL(Text(promise), @"error e");
}

CASE(cancel_cancels_the_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver cancel];
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(later_calls_of_a_resolver_have_no_effect) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver rejectWithError:[Probe named:@"first"]];
  [resolver fulfillWithValue:[Probe named:@"second"]];
  [resolver cancel];
  [resolver resolveWithPromise:Fulfilled(@"third")];
  CHECK_EQUAL(Text(promise), @"error first");
}

CASE(a_value_for_a_cancelled_promise_is_released) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver cancel];
  int before = LiveObjects();
  @autoreleasepool {
    [resolver fulfillWithValue:[Probe named:@"late"]];
  }
  CHECK(LiveObjects() == before);
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(releasing_the_last_resolver_cancels) {
  P *promise;
  @autoreleasepool {
    R *resolver;
    promise = [Pending(&resolver) retain];
  }
  CHECK_EQUAL(Text(promise), @"cancelled");
  [promise release];
}

CASE(a_resolver_of_a_deallocated_promise_does_nothing) {
  R *resolver;
  @autoreleasepool {
    Pending(&resolver);
    [resolver retain];
  }
  @autoreleasepool {
    [resolver fulfillWithValue:[Probe named:@"v"]];
  }
  CHECK(LiveObjects() == 1);
  [resolver release];
}

CASE(resolveWithValue_error_prefers_the_value) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver resolveWithValue:[Probe named:@"v"] error:[Probe named:@"e"]];
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(resolveWithValue_error_rejects_with_an_error_only) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver resolveWithValue:nil error:[Probe named:@"e"]];
  CHECK_EQUAL(Text(promise), @"error e");
}

CASE(resolveWithValue_error_cancels_with_neither) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver resolveWithValue:nil error:nil];
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(resolveWithPromise_takes_an_existing_result) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver resolveWithPromise:Rejected(@"e")];
  CHECK_EQUAL(Text(promise), @"error e");
}

CASE(resolveWithPromise_waits_for_a_result) {
  R *resolver, *other;
  P *promise = Pending(&resolver);
  [resolver resolveWithPromise:Pending(&other)];
  CHECK_EQUAL(Text(promise), @"pending");
  [other fulfillWithValue:[Probe named:@"v"]];
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(resolveWithPromise_passes_a_request_to_cancel_on) {
  R *resolver, *other;
  P *promise = Pending(&resolver);
  @autoreleasepool {
    [resolver resolveWithPromise:Pending(&other)];
    [other retain];
  }
  [promise requestCancel];
  CHECK(other.cancelRequested);
  [other release];
}

CASE(a_promise_that_is_resolved_with_itself_is_cancelled) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver resolveWithPromise:promise];
  CHECK_EQUAL(Text(promise), @"cancelled");
}

#ifndef RELEASE  // Only a debug build finds cycles.
CASE(promises_that_are_resolved_in_a_cycle_are_cancelled) {
  R *first, *second;
  P *one = Pending(&first), *other = Pending(&second);
  [first resolveWithPromise:other];
  [second resolveWithPromise:one];
  CHECK_EQUAL(Text(one), @"cancelled");
  CHECK_EQUAL(Text(other), @"cancelled");
}
#endif

CASE(a_cancel_handler_runs_when_cancellation_is_requested) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                 handler:^(R *inner) {
                                   [inner cancel];
                                 }];
  CHECK(!resolver.cancelRequested);
  CHECK_EQUAL(Text(promise), @"pending");
  [promise requestCancel];
  CHECK(resolver.cancelRequested);
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(a_cancel_handler_runs_at_once_if_the_request_was_made_before) {
  R *resolver;
  P *promise = Pending(&resolver);
  [promise requestCancel];
  Event *ran = [Event event];
  [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                 handler:^(R *inner) {
                                   (void)inner;
                                   [ran happen];
                                 }];
  CHECK(ran.count == 1);
  CHECK_EQUAL(Text(promise), @"pending");
}

CASE(a_cancel_handler_may_fulfil_its_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                 handler:^(R *inner) {
                                   [inner fulfillWithValue:[Probe named:@"partial"]];
                                 }];
  [promise requestCancel];
  CHECK_EQUAL(Text(promise), @"value partial");
}

CASE(cancel_handlers_run_in_the_order_of_their_registration) {
  R *resolver;
  P *promise = Pending(&resolver);
  Log *log = [Log log];
  for (NSString *name in @[ @"a", @"b", @"c" ]) {
    [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                   handler:^(R *inner) {
                                     (void)inner;
                                     [log add:name];
                                   }];
  }
  [promise requestCancel];
  CHECK_EQUAL(log.text, @"a b c");
}

CASE(cancel_handlers_run_once) {
  R *resolver;
  P *promise = Pending(&resolver);
  Event *ran = [Event event];
  [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                 handler:^(R *inner) {
                                   (void)inner;
                                   [ran happen];
                                 }];
  [promise requestCancel];
  [promise requestCancel];
  CHECK(ran.count == 1);
}

CASE(a_cancel_handler_runs_on_its_context) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver whenCancelRequestedOnContext:TWLContext.main
                                 handler:^(R *inner) {
                                   BOOL isMain = dispatch_get_current_queue() == dispatch_get_main_queue();
                                   [inner fulfillWithValue:[Probe named:isMain ? @"main" : @"elsewhere"]];
                                 }];
  [promise requestCancel];
  CHECK_EQUAL(AwaitedText(promise), @"value main");
}

CASE(all_cancel_handlers_run_in_order_although_the_first_cancels) {
  for (TWLContext *context in @[ TWLContext.immediate, SerialQueue("handlers"), TWLContext.main ]) {
    R *resolver;
    P *promise = Pending(&resolver);
    Log *log = [Log log];
    Event *last = [Event event];
    for (int number = 0; number < 4; number += 1) {
      [resolver whenCancelRequestedOnContext:context
                                     handler:^(R *inner) {
                                       [log add:[NSString stringWithFormat:@"%d", number]];
                                       [inner cancel];
                                       if (number == 3) [last happen];
                                     }];
    }
    [promise requestCancel];
    [last waitFor:"the last handler"];
    CHECK_EQUAL(log.text, @"0 1 2 3");
    CHECK_EQUAL(AwaitedText(promise), @"cancelled");
  }
}

CASE(a_cancel_handler_does_not_run_for_a_fulfilled_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver fulfillWithValue:[Probe named:@"v"]];
  Event *ran = [Event event];
  [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                 handler:^(R *inner) {
                                   (void)inner;
                                   [ran happen];
                                 }];
  [promise requestCancel];
  CHECK(ran.count == 0);
}

CASE(a_cancel_handler_that_can_no_longer_run_is_released) {
  R *resolver;
  P *promise = Pending(&resolver);
  int before = LiveObjects();
  @autoreleasepool {
    Probe *captured = [Probe named:@"captured"];
    [resolver whenCancelRequestedOnContext:TWLContext.immediate
                                   handler:^(R *inner) {
                                     [inner rejectWithError:captured];
                                   }];
    [resolver cancel];
  }
  CHECK(LiveObjects() == before);
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(cancelRequested_is_true_for_a_cancelled_promise) {
  R *resolver;
  Pending(&resolver);
  [resolver cancel];
  CHECK(resolver.cancelRequested);
}

CASE(cancelRequested_is_false_for_a_fulfilled_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [promise requestCancel];
  [resolver fulfillWithValue:[Probe named:@"v"]];
  CHECK(!resolver.cancelRequested);
}

CASE(handleCallback_fulfils_the_promise_with_a_value) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver handleCallback]([Probe named:@"v"], nil);
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(handleCallback_rejects_the_promise_with_an_error) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver handleCallback](nil, [Probe named:@"e"]);
  CHECK_EQUAL(Text(promise), @"error e");
}

CASE(handleCallback_prefers_the_value) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver handleCallback]([Probe named:@"v"], [Probe named:@"e"]);
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(handleCallback_rejects_with_its_own_error_without_value_and_error) {
  TWLResolver<id, NSError *> *resolver;
  TWLPromise<id, NSError *> *promise = [[[TWLPromise alloc] initWithResolver:&resolver] autorelease];
  [resolver handleCallback](nil, nil);
  NSError *error = nil;
  CHECK([promise getValue:NULL error:&error]);
  CHECK_EQUAL(error.domain, TWLPromiseCallbackErrorDomain);
  CHECK(error.code == TWLPromiseCallbackErrorAPIMismatch);
}

CASE(handleCallback_retains_the_resolver) {
  P *promise;
  void (^callback)(Probe *, Probe *);
  @autoreleasepool {
    R *resolver;
    promise = [Pending(&resolver) retain];
    callback = Block_copy([resolver handleCallback]);
  }
  CHECK_EQUAL(Text(promise), @"pending");
  @autoreleasepool {
    callback([Probe named:@"v"], nil);
    CHECK_EQUAL(Text(promise), @"value v");
  }
  Block_release(callback);
  [promise release];
}

CASE(releasing_the_callback_cancels_the_promise) {
  P *promise;
  @autoreleasepool {
    R *resolver;
    promise = [Pending(&resolver) retain];
    (void)[resolver handleCallback];
  }
  CHECK_EQUAL(Text(promise), @"cancelled");
  [promise release];
}

CASE(an_error_that_the_cancel_predicate_accepts_cancels_the_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver handleCallbackWithCancelPredicate:^BOOL(Probe *error) {
    return [error.name isEqual:@"stop"];
  }](nil, [Probe named:@"stop"]);
  CHECK_EQUAL(Text(promise), @"cancelled");
}

CASE(an_error_that_the_cancel_predicate_refuses_rejects_the_promise) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver handleCallbackWithCancelPredicate:^BOOL(Probe *error) {
    return [error.name isEqual:@"stop"];
  }](nil, [Probe named:@"other"]);
  CHECK_EQUAL(Text(promise), @"error other");
}

CASE(a_cancel_predicate_is_not_called_for_a_value) {
  R *resolver;
  P *promise = Pending(&resolver);
  [resolver handleCallbackWithCancelPredicate:^BOOL(Probe *error) {
    (void)error;
    return YES;
  }]([Probe named:@"v"], [Probe named:@"e"]);
  CHECK_EQUAL(Text(promise), @"value v");
}

CASE(many_resolving_threads_resolve_a_promise_once) {
  for (int round = 0; round < 50; round++) {
    @autoreleasepool {
      R *resolver;
      P *promise = Pending(&resolver);
      Event *ran = [Event event];
      [promise inspectOnContext:TWLContext.immediate
                        handler:^(Probe *value, Probe *error) {
                          (void)value, (void)error;
                          [ran happen];
                        }];
      dispatch_apply(8, dispatch_get_global_queue(0, 0), ^(size_t i) {
        @autoreleasepool {
          if (i % 2) {
            [resolver fulfillWithValue:[Probe named:@"v"]];
          } else {
            [resolver rejectWithError:[Probe named:@"e"]];
          }
        }
      });
      CHECK(ran.count == 1);
      CHECK([promise getValue:NULL error:NULL]);
    }
  }
}
