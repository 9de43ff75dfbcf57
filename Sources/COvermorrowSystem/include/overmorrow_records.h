// Records of promises, for the trails of errors in release builds.
//
// The records lie in a table of fixed size, which is used as a ring, so a new record replaces an old one. Each thread
// takes a block of the ring at a time. Threads write and read the table without a lock. A checksum distinguishes a whole
// record from parts of two records.

#ifndef OVERMORROW_RECORDS_H
#define OVERMORROW_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number of records in the table, and in a block.
#define OVERMORROW_RECORDS 16384
#define OVERMORROW_RECORD_BLOCK 64

/// A record of a core.
typedef struct {
  /// The number of the record, and the number of the record of the core's source. A number is not used again before four
  /// thousand million others, and 0 is no number.
  uint32_t number, source;
  /// For a step, the return addresses of the calls that have registered it, the innermost call first. For a core
  /// without a source, the address of the name of its file, and its line in the lower half with the length of the name in
  /// the upper half.
  uint64_t calls[2];
  /// The number of the record of the core that this core has adopted, or 0.
  uint32_t adopted;
  uint32_t flags;
} overmorrow_record;

/// The flags of a record: the code of the core has made an error, and the source of the core had an error then; the core
/// has no source; the error that the code has made is the same as that of the source. The lower bits belong to the
/// engine.
#define OVERMORROW_RECORD_REJECTS 0x80000000u
#define OVERMORROW_RECORD_AFTER_ERROR 0x40000000u
#define OVERMORROW_RECORD_IS_ROOT 0x20000000u
#define OVERMORROW_RECORD_PASSES_ON 0x10000000u

/// What a thread knows.
typedef struct {
  /// The number of the next record. If it is a multiple of the size of a block, the thread is not ready to record.
  uint32_t next;
  /// The end of the stack, reduced by the size of a frame.
  uintptr_t stack_end;
} overmorrow_recorder;

/// The records as words. The words are the numbers, two calls, the number of the adopted core with the flags, and the
/// checksum. The other words are not used. A record fills one line of the processor's cache.
extern uint64_t overmorrow_records[OVERMORROW_RECORDS][8];

// glibc reserves space for a few such variables, so the model works even in a library that is loaded later.
#ifdef __GLIBC__
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local overmorrow_recorder overmorrow_recorder_of_thread;

// With this calling convention, the code that records has no registers to save for a call that it seldom makes.
#if defined(__has_attribute) && __has_attribute(preserve_most) && (defined(__x86_64__) || defined(__aarch64__))
#define OVERMORROW_RARE __attribute__((preserve_most, cold))
#else
#define OVERMORROW_RARE __attribute__((cold))
#endif

/// Makes the thread ready for the records of a block: takes the block, and finds the end of the stack. If the end cannot
/// be found, it is the lowest address, so that no frame lies on the stack.
OVERMORROW_RARE void overmorrow_begin_records(void);

/// Copies the record with a number. Returns whether there is a whole one.
bool overmorrow_find_record(uint32_t number, overmorrow_record *_Nonnull record);

/// Changes a record, if it still exists: sets flags, and if `adopted` is not 0, the number of the adopted core's record.
void overmorrow_amend_record(uint32_t number, uint32_t adopted, uint32_t flags);

/// Returns the path of the file that contains the code at an address, and stores the address in memory from which the
/// addresses in the file are counted. Returns `NULL` if no file is known.
const char *_Nullable overmorrow_image(uintptr_t address, uintptr_t *_Nonnull start);

/// Returns the name of the function that contains the code at an address, as the linker knows it; `NULL` if no name is
/// known. The name exists as long as the file of the function.
const char *_Nullable overmorrow_function(uintptr_t address);

/// Writes the return addresses of the calls of this thread, the innermost call first. Returns the number of written
/// addresses, which is at most `capacity`. The function follows frame pointers, as far as they lead upwards on the stack
/// of the thread.
int32_t overmorrow_capture_frames(uintptr_t *_Nonnull addresses, int32_t capacity);

#define OVERMORROW_INLINE static inline __attribute__((always_inline))

OVERMORROW_INLINE uint64_t overmorrow_load(const uint64_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

OVERMORROW_INLINE void overmorrow_store(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Returns the checksum of the words. Two records in one place have different numbers, so the product distinguishes
/// their words.
OVERMORROW_INLINE uint64_t overmorrow_checksum(uint64_t numbers, uint64_t first, uint64_t second, uint64_t rest) {
  return numbers * first + (second ^ rest);
}

/// Writes a record, and returns its number.
OVERMORROW_INLINE uint32_t overmorrow_write_record(uint32_t source, uint64_t first, uint64_t second, uint32_t flags) {
  uint32_t number = overmorrow_recorder_of_thread.next;
  overmorrow_recorder_of_thread.next = number + 1;
  uint64_t *words = overmorrow_records[number % OVERMORROW_RECORDS];
  uint64_t numbers = number | (uint64_t)source << 32, rest = (uint64_t)flags << 32;
  overmorrow_store(&words[0], numbers);
  overmorrow_store(&words[1], first);
  overmorrow_store(&words[2], second);
  overmorrow_store(&words[3], rest);
  overmorrow_store(&words[4], overmorrow_checksum(numbers, first, second, rest));
  return number;
}

OVERMORROW_INLINE void overmorrow_get_ready(void) {
  if (overmorrow_recorder_of_thread.next % OVERMORROW_RECORD_BLOCK == 0) overmorrow_begin_records();
}

/// Records a core that has no source. Returns the number of the record.
OVERMORROW_INLINE uint32_t overmorrow_record_root(uintptr_t file, size_t length, uintptr_t line, uint32_t flags) {
  overmorrow_get_ready();
  return overmorrow_write_record(
      0, file, (uint32_t)line | (uint64_t)length << 32, flags | OVERMORROW_RECORD_IS_ROOT);
}

/// Records a step. Returns the number of the record. The caller is a function of the engine that is not inlined, and is
/// called by Swift code.
OVERMORROW_INLINE uint32_t overmorrow_record_step(uint32_t source, uint32_t flags) {
  overmorrow_get_ready();
  // The frame of the caller, and that of its caller, which is Swift code, too. The frame pointer that is stored there
  // may come from code without frame pointers. It is followed only if it leads upwards on the stack.
  const uintptr_t *frame = (const uintptr_t *)__builtin_frame_address(0);
  const uintptr_t *above = (const uintptr_t *)frame[0];
  uintptr_t outer = above[0], second = 0;
  if (outer >= (uintptr_t)above && outer < overmorrow_recorder_of_thread.stack_end) {
    // It may not be aligned.
    __builtin_memcpy(&second, (const char *)outer + sizeof(uintptr_t), sizeof second);
  }
  return overmorrow_write_record(source, above[1], second, flags);
}

#endif
