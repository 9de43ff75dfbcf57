#include "overmorrow_memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// With a sanitizer, all memory comes from malloc, so that the sanitizer sees each use of freed memory.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OVERMORROW_NO_POOL 1
#endif
#endif

static void *checked_malloc(size_t bytes) {
  void *block = malloc(bytes);
  if (block == NULL) {
    fprintf(stderr, "Overmorrow: out of memory: malloc(%zu) failed\n", bytes);
    abort();
  }
  return block;
}

#ifdef OVERMORROW_NO_POOL

void *overmorrow_allocate(uint32_t size_class, ptrdiff_t bytes) { return checked_malloc((size_t)bytes); }

void overmorrow_free(void *block, uint32_t size_class) { free(block); }

#else

/// The pool of a thread: for each class a list of blocks, linked through their first words.
struct pool {
  void *first[OVERMORROW_CLASSES];
  /// The amount of memory that the pool can still take, in units of OVERMORROW_CLASS_STEP. The amount is 0 until
  /// `empty` is registered as a destructor.
  uint32_t room;
  int is_registered;
};

// With the model `initial-exec`, code accesses the thread-local variable without a call. glibc reserves space for a few
// such variables, so the model works even in a library that is loaded after the start of the program.
#ifdef __GLIBC__
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local struct pool pool;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Empties the pool when the thread ends. If the thread frees blocks afterwards, this function may be called again.
static void empty(void *unused) {
  (void)unused;
  for (uint32_t i = 0; i < OVERMORROW_CLASSES; i++) {
    void *block = pool.first[i];
    while (block != NULL) {
      void *next = *(void **)block;
      free(block);
      block = next;
    }
    pool.first[i] = NULL;
  }
  pool.room = 0;
  pool.is_registered = 0;
}

static void make_key(void) {
  if (pthread_key_create(&key, empty) != 0) abort();
}

static __attribute__((noinline)) void *allocate_more(uint32_t size_class, ptrdiff_t bytes) {
  return checked_malloc(size_class == 0 ? (size_t)bytes : (size_t)size_class * OVERMORROW_CLASS_STEP);
}

void *overmorrow_allocate(uint32_t size_class, ptrdiff_t bytes) {
  // The list of class 0 is always empty.
  void *block = pool.first[size_class];
  if (block == NULL) return allocate_more(size_class, bytes);
  pool.first[size_class] = *(void **)block;
  pool.room += size_class;
  return block;
}

static __attribute__((noinline)) void free_or_register(void *block, uint32_t size_class) {
  if (size_class == 0 || pool.is_registered) return free(block);
  pthread_once(&once, make_key);
  if (pthread_setspecific(key, &pool) != 0) return free(block);
  pool.is_registered = 1;
  pool.room = OVERMORROW_KEPT_STEPS;
  overmorrow_free(block, size_class);
}

void overmorrow_free(void *block, uint32_t size_class) {
  // For class 0, the subtraction wraps around, so the result is greater than any room, and the condition is true.
  if (size_class - 1 >= pool.room) return free_or_register(block, size_class);
  *(void **)block = pool.first[size_class];
  pool.first[size_class] = block;
  pool.room -= size_class;
}

#endif
