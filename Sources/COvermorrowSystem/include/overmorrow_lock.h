// A lock in four bytes. All four bytes are zero while the lock is free.
//
// On Apple's platforms, the lock is an `os_unfair_lock`. While threads wait for such a lock, the system raises the
// priority of the thread that holds the lock to the priority of the waiting threads. On other platforms, the lock is a
// futex, and the system raises no priority. `Documentation/0014-platform-floor.md` compares this lock with others.

#ifndef OVERMORROW_LOCK_H
#define OVERMORROW_LOCK_H

#include "overmorrow_atomic.h"

/// Returns a number of the calling thread. Threads that ask for their numbers one after the other get successive
/// numbers, which begin again after 2^32 threads.
uint32_t overmorrow_thread_number(void);

/// Returns whether the calling thread is the first thread of the process.
bool overmorrow_is_main_thread(void);

#ifdef __APPLE__
#include <os/lock.h>

OVERMORROW_INLINE void overmorrow_lock_take(uint32_t *_Nonnull lock) { os_unfair_lock_lock((os_unfair_lock_t)lock); }

/// Takes a lock if it is free.
OVERMORROW_INLINE bool overmorrow_lock_try(uint32_t *_Nonnull lock) {
  return os_unfair_lock_trylock((os_unfair_lock_t)lock);
}

OVERMORROW_INLINE void overmorrow_lock_give(uint32_t *_Nonnull lock) { os_unfair_lock_unlock((os_unfair_lock_t)lock); }
#else
// 0: free. 1: taken. 2: taken, and threads may be waiting in the kernel.

void overmorrow_lock_wait(uint32_t *_Nonnull lock);
void overmorrow_lock_wake(uint32_t *_Nonnull lock);

/// Takes a lock if it is free.
OVERMORROW_INLINE bool overmorrow_lock_try(uint32_t *_Nonnull lock) {
  uint32_t expected = 0;
  return __atomic_compare_exchange_n(lock, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

OVERMORROW_INLINE void overmorrow_lock_take(uint32_t *_Nonnull lock) {
  if (!overmorrow_lock_try(lock)) overmorrow_lock_wait(lock);
}

OVERMORROW_INLINE void overmorrow_lock_give(uint32_t *_Nonnull lock) {
  if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2) overmorrow_lock_wake(lock);
}
#endif

#endif
