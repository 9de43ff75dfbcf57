#import "Support.h"

CASE(a_fulfilled_promise_has_its_value) {
  Probe *value = [Probe named:@"value"];
  TWLPromise<Probe *, Probe *> *promise = [[TWLPromise newFulfilledWithValue:value] autorelease];
  Probe *found = nil, *error = value;
  CHECK([promise getValue:&found error:&error]);
  CHECK_EQUAL(found, value);
  CHECK_EQUAL(error, nil);
}
