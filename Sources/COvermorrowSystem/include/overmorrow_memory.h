// Memory for the cores of promises. Each thread has a small pool, so that a step of a chain uses the memory that the
// previous step has just freed.

#ifndef OVERMORROW_MEMORY_H
#define OVERMORROW_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// The difference in bytes between the block sizes of two neighbouring classes.
#define OVERMORROW_CLASS_STEP 16
/// The number of classes. Blocks that are too large for the last class belong to class 0 and come from malloc.
#define OVERMORROW_CLASSES 16
/// The maximum amount of memory in a thread's pool, in units of OVERMORROW_CLASS_STEP: a quarter of a mebibyte.
#define OVERMORROW_KEPT_STEPS 16384

/// Returns the class of blocks of this size.
static inline uint32_t overmorrow_size_class(ptrdiff_t bytes) {
  ptrdiff_t number = (bytes + OVERMORROW_CLASS_STEP - 1) / OVERMORROW_CLASS_STEP;
  return number < OVERMORROW_CLASSES ? (uint32_t)number : 0;
}

/// Returns a block of a class. If the class is 0, the block has `bytes` bytes. If there is no memory left, aborts the
/// program.
void *_Nonnull overmorrow_allocate(uint32_t size_class, ptrdiff_t bytes);

/// Frees a block of a class. The calling thread need not be the thread that has allocated the block.
void overmorrow_free(void *_Nonnull block, uint32_t size_class);

#endif
