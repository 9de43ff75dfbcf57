// Cancel handlers that keep their promise pending after its block has ended.

#import "Support.h"

/// Returns a promise whose block has registered handlers and has ended.
static P *AskedPromise(int handlers, TWLContext *context, void (^handler)(int number, R *resolver)) {
  return [[[P alloc] initOnContext:TWLContext.immediate
                         withBlock:^(R *resolver) {
                           for (int number = 0; number < handlers; number += 1) {
                             [resolver whenCancelRequestedOnContext:context
                                                            handler:^(R *inner) {
                                                              handler(number, inner);
                                                            }];
                           }
                         }] autorelease];
}

CASE(a_cancel_handler_keeps_the_promise_pending_after_its_block_ended) {
  P *promise = AskedPromise(1, TWLContext.immediate, ^(int number, R *resolver) {
    (void)number;
    [resolver fulfillWithValue:[Probe named:@"partial"]];
  });
  CHECK_EQUAL(Text(promise), @"pending");
  [promise requestCancel];
  CHECK_EQUAL(Text(promise), @"value partial");
}

CASE(every_cancel_handler_runs_after_the_block_ended) {
  for (int round = 0; round < 100; round += 1) {
    @autoreleasepool {
      Event *ran = [Event event];
      P *promise = AskedPromise(3, SerialQueue("handlers"), ^(int number, R *resolver) {
        (void)number;
        [resolver cancel];
        [ran happen];
      });
      dispatch_async(dispatch_get_global_queue(0, 0), ^{
        [promise requestCancel];
      });
      for (int number = 0; number < 3; number += 1) {
        [ran waitFor:"each handler"];
      }
      CHECK(ran.count == 3);
      CHECK_EQUAL(AwaitedText(promise), @"cancelled");
    }
  }
}

CASE(the_last_reference_to_a_promise_cancels_it_and_releases_its_handlers) {
  Log *log = [Log log];
  int before = LiveObjects();
  @autoreleasepool {
    Probe *probe = [Probe named:@"captured"];
    P *promise = AskedPromise(2, TWLContext.immediate, ^(int number, R *resolver) {
      (void)number, (void)resolver;
      [log add:probe.name];
    });
    [promise whenCancelledOnContext:TWLContext.immediate
                            handler:^{
                              [log add:@"cancelled"];
                            }];
    CHECK_EQUAL(log.text, @"");
  }
  CHECK_EQUAL(log.text, @"cancelled");
  CHECK(LiveObjects() == before);
}
