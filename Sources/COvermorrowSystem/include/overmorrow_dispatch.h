// What Swift hides of Dispatch: work that is a function and a context, and takes neither a closure nor a block.

#ifndef OVERMORROW_DISPATCH_H
#define OVERMORROW_DISPATCH_H

#include <dispatch/dispatch.h>

/// Submits a call of a function to a queue.
static inline void overmorrow_dispatch_async(
    dispatch_queue_t _Nonnull queue, void *_Nullable context, void (*_Nonnull work)(void *_Nullable)) {
  dispatch_async_f(queue, context, work);
}

#ifndef __APPLE__
/// The main queue itself. (On Apple's platforms a Swift `DispatchQueue` is the queue itself.)
static inline dispatch_queue_t _Nonnull overmorrow_dispatch_main_queue(void) {
  return dispatch_get_main_queue();
}

/// The global queue itself for the quality of service `utility`, whose number is 0x11.
static inline dispatch_queue_t _Nonnull overmorrow_dispatch_utility_queue(void) {
  return dispatch_get_global_queue(0x11, 0);
}
#endif

#endif
