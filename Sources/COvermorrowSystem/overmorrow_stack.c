#include "overmorrow_stack.h"

#if !defined(_WIN32) && !defined(__wasi__) && __has_include(<unwind.h>)

// The GNU library declares its extensions only on request.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <unwind.h>

typedef struct {
  uintptr_t *addresses;
  int32_t count;
  int32_t capacity;
} Calls;

static _Unwind_Reason_Code add_call(struct _Unwind_Context *context, void *argument) {
  Calls *calls = argument;
  uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
  if (address == 0 || calls->count == calls->capacity) return _URC_END_OF_STACK;
  // The first call is the one of the function below.
  if (calls->count >= 0) calls->addresses[calls->count] = address;
  calls->count++;
  return calls->count == calls->capacity ? _URC_END_OF_STACK : _URC_NO_REASON;
}

int32_t overmorrow_capture_calls(uintptr_t *addresses, int32_t capacity) {
  Calls calls = {addresses, -1, capacity};
  _Unwind_Backtrace(add_call, &calls);
  return calls.count < 0 ? 0 : calls.count;
}

#else

int32_t overmorrow_capture_calls(uintptr_t *addresses, int32_t capacity) {
  (void)addresses;
  (void)capacity;
  return 0;
}

#endif
