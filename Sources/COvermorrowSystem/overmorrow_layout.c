#include "overmorrow_layout.h"

/// The version of the words of a core, which a debugger searches for in the memory of a program. 0 stands for words
/// that the script does not know.
#if UINTPTR_MAX == UINT64_MAX
#define OVERMORROW_CORES_VERSION 1
#else
#define OVERMORROW_CORES_VERSION 0
#endif

// The symbol has no declaration in a header, so that no code of the program reads it. The version of the cores is a
// constant in the last word, so a program that watches nothing has it, too.
__attribute__((used, visibility("default"))) uintptr_t overmorrow_layout[OVERMORROW_LAYOUT_WORDS] = {
    [OVERMORROW_LAYOUT_WORDS - 1] = OVERMORROW_CORES_VERSION};

void overmorrow_set_layout(const uintptr_t *words, uint32_t count) {
  for (uint32_t i = 1; i < count && i < OVERMORROW_LAYOUT_WORDS - 1; i++) overmorrow_layout[i] = words[i];
  __atomic_store_n(&overmorrow_layout[0], words[0], __ATOMIC_RELEASE);
}
