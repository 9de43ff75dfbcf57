// The call stack of a thread, for the diagnostics.

#ifndef OVERMORROW_STACK_H
#define OVERMORROW_STACK_H

#include <stdint.h>

/// Writes the return addresses of the calls of this thread, the innermost call first. Returns the number of written
/// addresses, which is at most `capacity`; 0 on systems without an unwinder. The function does not follow frame
/// pointers, so frames of code without frame pointers are safe.
int32_t overmorrow_capture_calls(uintptr_t *_Nonnull addresses, int32_t capacity);

#endif
