#include "overmorrow_lock.h"

#ifndef __APPLE__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Takes a lock that another thread has.
///
/// Each thread that has waited marks the lock as one that others may wait for, as it cannot know that there are none. The kernel
/// puts a thread to sleep only while the mark is there; so each turn of the loop is another thread's turn with the lock.
void overmorrow_lock_wait(uint32_t *lock) {
  while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0) {
    syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, NULL);
  }
}

/// Wakes one of those that wait. The lock may have ended by now: then the address is one that nobody waits for, or the thread
/// that is woken there looks again.
void overmorrow_lock_wake(uint32_t *lock) {
  syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1);
}
#endif
