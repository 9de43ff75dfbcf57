// Functions of Dispatch that Swift hides, and functions of POSIX threads whose Swift types differ between systems.
// Dispatch receives work as a function and its argument, and needs neither a closure nor a block.

#ifndef OVERMORROW_DISPATCH_H
#define OVERMORROW_DISPATCH_H

#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Submits a call of a function to a queue.
static inline void overmorrow_dispatch_async(
    dispatch_queue_t _Nonnull queue, void *_Nullable context, void (*_Nonnull work)(void *_Nullable)) {
  dispatch_async_f(queue, context, work);
}

#ifndef __APPLE__
/// Returns the main queue as Dispatch's own type. (On Apple's platforms, a Swift `DispatchQueue` already has this
/// type.)
static inline dispatch_queue_t _Nonnull overmorrow_dispatch_main_queue(void) {
  return dispatch_get_main_queue();
}

/// Returns the global queue of the quality of service `utility` as Dispatch's own type. The number of `utility` is
/// 0x11.
static inline dispatch_queue_t _Nonnull overmorrow_dispatch_utility_queue(void) {
  return dispatch_get_global_queue(0x11, 0);
}
#endif

#ifdef __linux__
/// The offsets of the fields of a queue, which Dispatch exports for debuggers: the version, the label, the size of the
/// label, the flags, the size of the flags, the number, the size of the number, the width, the size of the width.
extern const uint16_t dispatch_queue_offsets[9] __attribute__((weak));

/// Returns the width of a queue, which is 1 for a serial queue; 0 if the width cannot be read.
static inline uint16_t overmorrow_dispatch_width(dispatch_queue_t _Nonnull queue) {
  uint16_t width = 0;
  // A queue has at least 128 bytes.
  if (&dispatch_queue_offsets[0] == NULL || dispatch_queue_offsets[7] > 126 || dispatch_queue_offsets[8] != sizeof width)
    return 0;
  memcpy(&width, (const char *)queue + dispatch_queue_offsets[7], sizeof width);
  return width;
}
#endif

/// Returns whether the calling thread runs the work of a queue, such as a thread of Dispatch's pool or of Swift's. On
/// any other thread, the label is that of a queue to which nothing is submitted directly. The result may depend on the
/// version of Dispatch, so only reports and the search for deadlocks depend on it.
static inline bool overmorrow_runs_on_queue(void) {
  return strcmp(dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL), "com.apple.root.default-qos.overcommit") != 0;
}

/// Creates a key for a thread-local pointer. Returns false if the system has no key left.
static inline bool overmorrow_make_thread_key(uintptr_t *_Nonnull made, void (*_Nonnull end)(void *_Nullable)) {
  pthread_key_t key;
  if (pthread_key_create(&key, end) != 0) return false;
  *made = key;
  return true;
}

static inline void overmorrow_delete_thread_key(uintptr_t key) { pthread_key_delete((pthread_key_t)key); }

static inline void *_Nullable overmorrow_thread_value(uintptr_t key) { return pthread_getspecific((pthread_key_t)key); }

static inline bool overmorrow_set_thread_value(uintptr_t key, void *_Nullable value) {
  return pthread_setspecific((pthread_key_t)key, value) == 0;
}

#endif
