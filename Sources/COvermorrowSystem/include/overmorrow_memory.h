// Memory for the cores of promises: a small pool for each thread, so that a step of a chain takes what the step before it
// has just given back.

#ifndef OVERMORROW_MEMORY_H
#define OVERMORROW_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Blocks of a class are this much larger than those of the class before, in bytes.
#define OVERMORROW_CLASS_STEP 16
/// How many classes there are; larger blocks, which are of class 0, come from malloc.
#define OVERMORROW_CLASSES 16
/// How much a thread keeps at most, in steps: a quarter of a megabyte.
#define OVERMORROW_KEPT_STEPS 16384

/// The class of blocks of this size.
static inline uint32_t overmorrow_size_class(ptrdiff_t bytes) {
  ptrdiff_t number = (bytes + OVERMORROW_CLASS_STEP - 1) / OVERMORROW_CLASS_STEP;
  return number < OVERMORROW_CLASSES ? (uint32_t)number : 0;
}

/// A block of a class, or of `bytes` if the class is 0. Stops the program when no memory is left.
void *_Nonnull overmorrow_allocate(uint32_t size_class, ptrdiff_t bytes);

/// Gives a block of a class back, on any thread.
void overmorrow_free(void *_Nonnull block, uint32_t size_class);

#endif
