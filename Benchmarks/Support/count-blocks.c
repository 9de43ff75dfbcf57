/* Counts the blocks that are on the heap, for the program that it is preloaded into (LD_PRELOAD), which finds
   `overmorrow_live_blocks` by its name; for glibc, whose own allocator it calls by its other name. */

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_long blocks;

long overmorrow_live_blocks(void) { return atomic_load(&blocks); }

static void *count(void *memory) {
  if (memory != NULL) atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  return memory;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size)); }

void *memalign(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

/* A block that is moved stays one. */
void *realloc(void *old, size_t size) {
  if (old == NULL) return malloc(size);
  if (size == 0) atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
  return __libc_realloc(old, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
  __libc_free(memory);
}
