// The secret multiplier of the hash tables (map.h, index.h). Ids and texts of an input could be
// chosen so that all of them collide under a constant that everybody knows; searches would then take
// time proportional to the length of the table. The multiplier is drawn when the process starts and
// never changes. No caller can see the order of a table, so it cannot show in any output.
#ifndef TP_BASE_HASH_KEY_H
#define TP_BASE_HASH_KEY_H

#include "base/attr.h"

// Odd. If the kernel has no random bytes yet, tp_hash_key_of(0).
extern uint64_t tp_hash_key;

// Returns the multiplier for these random bits. Consecutive ids fill a table without clusters under
// any of them.
uint64_t tp_hash_key_of(uint64_t random_bits);

// Returns the slot at which the search for `contents` begins, in a table of 2^(64 - shift) slots.
TP_INLINE size_t tp_hash_slot(uint64_t contents, unsigned shift)
{
    return (size_t)(contents * tp_hash_key >> shift);
}

#endif
