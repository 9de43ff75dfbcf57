// Atomic operations on words of one byte, four bytes and the size of a pointer, through the builtins of the compiler.
//
// In optimised code, the size and the memory orders are constants at each call, so that a call compiles to one atomic
// operation without branches on the size. The functions are always inlined, even without optimisation, so that
// ThreadSanitizer sees an atomic operation of the caller.

#ifndef OVERMORROW_ATOMIC_H
#define OVERMORROW_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OVERMORROW_INLINE static inline __attribute__((always_inline))

// Performs an operation on a word of this size, with `Word` as the type of the word.
#define OVERMORROW_BY_SIZE(size, operation)                                                                             \
  if (size == sizeof(uintptr_t)) {                                                                                      \
    typedef uintptr_t Word;                                                                                             \
    operation;                                                                                                          \
  } else if (size == sizeof(uint32_t)) {                                                                                \
    typedef uint32_t Word;                                                                                              \
    operation;                                                                                                          \
  } else {                                                                                                              \
    typedef uint8_t Word;                                                                                               \
    operation;                                                                                                          \
  }

OVERMORROW_INLINE uint64_t overmorrow_atomic_load(const void *_Nonnull word, size_t size, int32_t order) {
  OVERMORROW_BY_SIZE(size, return __atomic_load_n((const Word *)word, order))
}

OVERMORROW_INLINE void overmorrow_atomic_store(void *_Nonnull word, size_t size, uint64_t value, int32_t order) {
  OVERMORROW_BY_SIZE(size, __atomic_store_n((Word *)word, (Word)value, order))
}

// The following functions return the previous value of the word.

OVERMORROW_INLINE uint64_t overmorrow_atomic_exchange(void *_Nonnull word, size_t size, uint64_t value, int32_t order) {
  OVERMORROW_BY_SIZE(size, return __atomic_exchange_n((Word *)word, (Word)value, order))
}

OVERMORROW_INLINE uint64_t overmorrow_atomic_add(void *_Nonnull word, size_t size, uint64_t value, int32_t order) {
  OVERMORROW_BY_SIZE(size, return __atomic_fetch_add((Word *)word, (Word)value, order))
}

OVERMORROW_INLINE uint64_t overmorrow_atomic_and(void *_Nonnull word, size_t size, uint64_t value, int32_t order) {
  OVERMORROW_BY_SIZE(size, return __atomic_fetch_and((Word *)word, (Word)value, order))
}

OVERMORROW_INLINE uint64_t overmorrow_atomic_or(void *_Nonnull word, size_t size, uint64_t value, int32_t order) {
  OVERMORROW_BY_SIZE(size, return __atomic_fetch_or((Word *)word, (Word)value, order))
}

/// The previous value of a word, and whether the word was exchanged.
typedef struct {
  uint64_t original;
  bool exchanged;
} overmorrow_exchange;

/// Exchanges a word if the word has the expected value. A weak exchange may fail even if the word has this value.
OVERMORROW_INLINE overmorrow_exchange overmorrow_atomic_compare_exchange(
    void *_Nonnull word, size_t size, uint64_t expected, uint64_t desired, bool weak, int32_t success, int32_t failure) {
  overmorrow_exchange result;
  OVERMORROW_BY_SIZE(size, Word old = (Word)expected;
                     result.exchanged = __atomic_compare_exchange_n(
                         (Word *)word, &old, (Word)desired, weak, success, failure);
                     result.original = old)
  return result;
}

#endif
