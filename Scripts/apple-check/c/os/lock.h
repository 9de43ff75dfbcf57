// A stub of the declarations of `os` that the core's lock uses.
#include <stdbool.h>
#include <stdint.h>
#pragma clang assume_nonnull begin
typedef struct { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t lock);
bool os_unfair_lock_trylock(os_unfair_lock_t lock);
void os_unfair_lock_unlock(os_unfair_lock_t lock);
#pragma clang assume_nonnull end
