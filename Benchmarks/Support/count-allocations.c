/* Counts the calls that allocate memory and writes their number to the file named by ALLOCATION_COUNT_FILE when
   the program ends. Preloaded (LD_PRELOAD) by `Benchmarks/measure`; for glibc, whose own allocator it calls by its other
   name. */

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong allocations;

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  count();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

__attribute__((destructor)) static void report(void) {
  unsigned long total = atomic_load(&allocations);
  const char *path = getenv("ALLOCATION_COUNT_FILE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  fprintf(file, "%lu\n", total);
  fclose(file);
}
