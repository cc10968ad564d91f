// Memory credits of a run: units and decoders take credits for their bytes before they allocate
// them; a refusal means wait, not fail. A reserve is kept for the decoders of the oldest unfinished
// input, so that this input can always go on and give back what younger inputs wait for: this
// prevents deadlock. (Units have their own rule to the same end, see unit.h.) Thread-safe, never
// blocks.
#ifndef TP_PIPELINE_CORE_BUDGET_H
#define TP_PIPELINE_CORE_BUDGET_H

#include <stdatomic.h>

#include "base/attr.h"

// The credits of one run. It counts bytes; the owners of the memory allocate and free them.
struct tp_budget {
    uint64_t limit_bytes;
    uint64_t reserve_bytes; // part of the limit only the oldest input may use
    _Atomic uint64_t used_bytes;
};

// Whether an input is the oldest unfinished one, which alone may use what is reserved.
enum tp_rank { TP_RANK_YOUNGER, TP_RANK_OLDEST };

// Starts with all credits free. `reserve_bytes` is at most `limit_bytes`.
void tp_budget_init(struct tp_budget *b, uint64_t limit_bytes, uint64_t reserve_bytes);
// Takes `len_bytes` credits. False: not enough are left to this rank, and none were taken.
bool tp_budget_try_take(struct tp_budget *b, uint64_t len_bytes, enum tp_rank rank) TP_MUST_USE;
// Gives back credits that were taken. The caller then wakes the strands that wait (wake.h).
void tp_budget_give(struct tp_budget *b, uint64_t len_bytes);

#endif
