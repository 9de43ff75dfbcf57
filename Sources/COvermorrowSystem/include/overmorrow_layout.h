// The places of the list of notes, for debuggers: `Debugger/overmorrow.py`.

#ifndef OVERMORROW_LAYOUT_H
#define OVERMORROW_LAYOUT_H

#include <stdint.h>

/// The number of words of `overmorrow_layout`. The last word is the version of the words of a core.
#define OVERMORROW_LAYOUT_WORDS 64

/// Writes the words of the symbol `overmorrow_layout`, which debuggers read. The first word, the version, is written
/// last. Before, it is 0. Words beyond the last but one are left out.
void overmorrow_set_layout(const uintptr_t *_Nonnull words, uint32_t count);

#endif
