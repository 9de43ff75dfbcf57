// Makes, chains, cancels and awaits promises in C. `Examples/C/run` builds and runs it.
#include <inttypes.h>
#include <overmorrow.h>
#include <stdio.h>

// A number is passed in place of an address, so there is nothing to release.
static ovm_object number(intptr_t value) { return (ovm_object){.pointer = (void *)value, .release = NULL}; }

static bool halve(void *context, void *input, ovm_object *output) {
  (void)context;
  *output = number((intptr_t)input / 2);
  return (intptr_t)input % 2 == 0;  // An odd number is an error.
}

static void print(void *context, ovm_outcome outcome, void *object) {
  static const char *names[] = {"pending", "fulfilled", "rejected", "cancelled"};
  printf("%s: %s, %" PRIdPTR "\n", (const char *)context, names[outcome], (intptr_t)object);
}

static void give_up(void *context, ovm_resolver *resolver) {
  puts(context);
  ovm_resolver_cancel(resolver);
}

int main(void) {
  ovm_context *here = ovm_context_create(OVM_IMMEDIATE), *pool = ovm_context_create(OVM_UTILITY);

  // Make and chain: each step runs on a global queue, and the last one prints the result.
  ovm_resolver *resolver;
  ovm_promise *whole = ovm_promise_create(&resolver);
  ovm_promise *half = ovm_promise_map(whole, pool, NULL, halve, NULL, NULL);
  ovm_promise *shown = ovm_promise_always(half, here, NULL, print, "half of 84", NULL);
  ovm_resolver_fulfill(resolver, number(84));

  // Await: blocks this thread for at most ten seconds.
  if (ovm_promise_wait(shown, 10) != OVM_RESOLVED) return 1;
  ovm_resolver_release(resolver);

  // Cancel: the request is passed up the chain to the code that works for the promise.
  ovm_promise *endless = ovm_promise_create(&resolver);
  ovm_resolver_on_cancel_request(resolver, here, give_up, "asked to cancel", NULL);
  ovm_promise *end = ovm_promise_always(endless, here, NULL, print, "endless", NULL);
  ovm_promise_request_cancel(endless);
  ovm_outcome outcome = ovm_promise_result(end, NULL);

  ovm_promise *promises[] = {whole, half, shown, endless, end};
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) ovm_promise_release(promises[i]);
  ovm_resolver_release(resolver), ovm_context_release(here), ovm_context_release(pool);
  return outcome == OVM_CANCELLED ? 0 : 1;
}
