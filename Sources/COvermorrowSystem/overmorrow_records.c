// The GNU library declares its extensions only on request.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "overmorrow_records.h"

#include <stddef.h>

#include <pthread.h>

#if defined(__linux__)
#include <errno.h>
#include <link.h>
#endif
#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif

_Alignas(64) uint64_t overmorrow_records[OVERMORROW_RECORDS][8];

_Thread_local overmorrow_recorder overmorrow_recorder_of_thread;

static uintptr_t stack_end(void) {
#if defined(__APPLE__)
  return (uintptr_t)pthread_get_stackaddr_np(pthread_self());
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return (uintptr_t)low + size;
#else
  return 0;
#endif
}

static void find_stack_end(overmorrow_recorder *recorder) {
  if (recorder->stack_end != 0) return;
  uintptr_t end = stack_end();
  // A frame begins with two words, which lie before the end of the stack.
  recorder->stack_end = end < 2 * sizeof(uintptr_t) ? 1 : end - 2 * sizeof(uintptr_t) + 1;
}

void overmorrow_begin_records(void) {
  static uint32_t blocks;
  overmorrow_recorder *recorder = &overmorrow_recorder_of_thread;
  // The first number of a block is not used, so that 0 is no number.
  recorder->next = __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED) * OVERMORROW_RECORD_BLOCK + 1;
  find_stack_end(recorder);
}

int32_t overmorrow_capture_frames(uintptr_t *addresses, int32_t capacity) {
  find_stack_end(&overmorrow_recorder_of_thread);
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0), end = overmorrow_recorder_of_thread.stack_end;
  for (int32_t count = 0; count < capacity; count++) {
    // A frame begins with the frame pointer of the caller and the return address. The pointer may not be aligned if the
    // caller is code without frame pointers. In a frame of an async function on Apple's systems, it has a high bit, so
    // that it does not lie on the stack.
    uintptr_t words[2];
    __builtin_memcpy(words, (const void *)frame, sizeof words);
    addresses[count] = words[1];
    if (words[0] <= frame || words[0] >= end) return count + 1;
    frame = words[0];
  }
  return capacity;
}

/// Copies the words of a record. Returns whether they are those of the record with this number.
static bool read_words(uint32_t number, uint64_t words[5]) {
  const uint64_t *found = overmorrow_records[number % OVERMORROW_RECORDS];
  for (int i = 0; i < 5; i++) words[i] = overmorrow_load(&found[i]);
  return number != 0 && (uint32_t)words[0] == number &&
         words[4] == overmorrow_checksum(words[0], words[1], words[2], words[3]);
}

bool overmorrow_find_record(uint32_t number, overmorrow_record *record) {
  uint64_t words[5];
  if (!read_words(number, words)) return false;
  *record = (overmorrow_record){
      .number = number,
      .source = (uint32_t)(words[0] >> 32),
      .calls = {words[1], words[2]},
      .adopted = (uint32_t)words[3],
      .flags = (uint32_t)(words[3] >> 32),
  };
  return true;
}

void overmorrow_amend_record(uint32_t number, uint32_t adopted, uint32_t flags) {
  uint64_t words[5];
  if (!read_words(number, words)) return;
  uint64_t rest = words[3] | (uint64_t)flags << 32;
  if (adopted != 0) rest = rest >> 32 << 32 | adopted;
  uint64_t *found = overmorrow_records[number % OVERMORROW_RECORDS];
  overmorrow_store(&found[3], rest);
  overmorrow_store(&found[4], overmorrow_checksum(words[0], words[1], words[2], rest));
}

#if defined(__linux__)

typedef struct {
  uintptr_t address, start;
  const char *name;
} Search;

static int search_image(struct dl_phdr_info *image, size_t size, void *argument) {
  (void)size;
  Search *search = argument;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    if (image->dlpi_phdr[i].p_type != PT_LOAD) continue;
    if (search->address - image->dlpi_addr - image->dlpi_phdr[i].p_vaddr >= image->dlpi_phdr[i].p_memsz) continue;
    search->start = image->dlpi_addr;
    // The program itself has no name here.
    search->name = image->dlpi_name[0] != 0 ? image->dlpi_name : program_invocation_name;
    return 1;
  }
  return 0;
}

// `dladdr` reads all symbols of the file, which takes a long time in a large program.
const char *overmorrow_image(uintptr_t address, uintptr_t *start) {
  Search search = {address, 0, NULL};
  dl_iterate_phdr(search_image, &search);
  *start = search.start;
  return search.name;
}

#elif __has_include(<dlfcn.h>)

const char *overmorrow_image(uintptr_t address, uintptr_t *start) {
  Dl_info info;
  if (dladdr((const void *)address, &info) == 0) return NULL;
  *start = (uintptr_t)info.dli_fbase;
  return info.dli_fname;
}

#else

const char *overmorrow_image(uintptr_t address, uintptr_t *start) {
  (void)address;
  (void)start;
  return NULL;
}

#endif

#if __has_include(<dlfcn.h>)

const char *overmorrow_function(uintptr_t address) {
  Dl_info info;
  return dladdr((const void *)address, &info) == 0 ? NULL : info.dli_sname;
}

#else

const char *overmorrow_function(uintptr_t address) {
  (void)address;
  return NULL;
}

#endif
