#include "overmorrow_layout.h"

// The symbol has no declaration in a header, so that no code of the program reads it.
__attribute__((used, visibility("default"))) uintptr_t overmorrow_layout[OVERMORROW_LAYOUT_WORDS];

void overmorrow_set_layout(const uintptr_t *words, uint32_t count) {
  for (uint32_t i = 1; i < count && i < OVERMORROW_LAYOUT_WORDS; i++) overmorrow_layout[i] = words[i];
  __atomic_store_n(&overmorrow_layout[0], words[0], __ATOMIC_RELEASE);
}
