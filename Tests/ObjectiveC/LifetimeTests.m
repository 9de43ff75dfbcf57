#import "Support.h"

// Objects whose deallocation requests cancellation.

CASE(requestCancelOnDealloc_requests_cancellation_when_the_object_is_deallocated) {
  R *resolver;
  P *promise = Pending(&resolver);
  @autoreleasepool {
    Probe *owner = [Probe named:@"owner"];
    CHECK([promise requestCancelOnDealloc:owner] == promise);
    CHECK(!resolver.cancelRequested);
  }
  CHECK(resolver.cancelRequested);
}

CASE(requestCancelOnDealloc_handles_many_promises_of_one_object) {
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

CASE(requestCancelOnDealloc_distinguishes_objects_of_one_class) {
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

CASE(requestCancelOnDealloc_does_not_change_the_visible_class) {
  Probe *owner = [Probe named:@"owner"];
  [Fulfilled(@"v") requestCancelOnDealloc:owner];
  CHECK([owner class] == [Probe class]);
  CHECK([owner isKindOfClass:[Probe class]]);
  CHECK_EQUAL(owner.name, @"owner");
}

CASE(requestCancelOnDealloc_does_not_retain_the_promise) {
  Probe *owner = [Probe named:@"owner"];
  @autoreleasepool {
    [Fulfilled(@"v") requestCancelOnDealloc:owner];
  }
  // The owner, and the token that is released with it.
  CHECK(LiveObjects() == 2);
}

CASE(requestCancelOnDealloc_accepts_an_immortal_object) {
  R *resolver;
  [Pending(&resolver) requestCancelOnDealloc:@"a literal"];
  CHECK(!resolver.cancelRequested);
}
