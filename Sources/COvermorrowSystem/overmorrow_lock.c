#include "overmorrow_lock.h"

#include <pthread.h>

uint32_t overmorrow_thread_number(void) {
  // Zero until the thread has a number. After 2^32 threads, one thread gets a new number at each call.
  static _Thread_local uint32_t number;
  static uint32_t last;
  if (number == 0) number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  return number;
}

#ifdef __APPLE__
bool overmorrow_is_main_thread(void) { return pthread_main_np() != 0; }
#else
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

bool overmorrow_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

/// Waits for a lock that another thread holds, and takes the lock.
///
/// A thread that takes the lock here sets the lock to 2, because the thread cannot know whether other threads wait. The
/// kernel puts a thread to sleep only if the lock is still 2. The loop repeats as long as another thread holds the
/// lock.
void overmorrow_lock_wait(uint32_t *lock) {
  while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0) {
    syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, NULL);
  }
}

/// Wakes one waiting thread. The memory of the lock may already have been freed. In that case, either no thread waits
/// at this address, or a thread waits there for something else and checks its own condition again.
void overmorrow_lock_wake(uint32_t *lock) {
  syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1);
}
#endif
