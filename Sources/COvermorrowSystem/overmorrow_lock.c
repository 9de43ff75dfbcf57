#include "overmorrow_lock.h"

#include <pthread.h>

uintptr_t overmorrow_current_thread(void) { return (uintptr_t)pthread_self(); }

#ifndef __APPLE__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Takes a lock that another thread holds.
///
/// A thread that has waited marks the lock as one that others may wait for, because it cannot know that there are none.
/// The kernel puts a thread to sleep only while the mark is set. So the loop repeats only after another thread has held
/// the lock.
void overmorrow_lock_wait(uint32_t *lock) {
  while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0) {
    syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, NULL);
  }
}

/// Wakes one waiting thread. The memory of the lock may have been freed by now. Then either no thread waits at this
/// address, or the woken thread checks its own condition again.
void overmorrow_lock_wake(uint32_t *lock) {
  syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1);
}
#endif
