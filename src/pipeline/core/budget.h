// Counts the memory credits of a run: units and decoders take credits for their bytes before they
// allocate them; a refusal means wait, not fail. A reserve is kept for the decoders of the oldest
// unfinished input, so that this input can always go on and give back what younger inputs wait for:
// this prevents deadlock. (Units have their own rule to the same end, see unit.h.) Thread-safe,
// never blocks.
#ifndef TP_PIPELINE_CORE_BUDGET_H
#define TP_PIPELINE_CORE_BUDGET_H

#include <stdatomic.h>

#include "base/attr.h"

// The credits of one run, in bytes. Owns no memory: those that take credits allocate and free the
// memory.
struct tp_budget {
    uint64_t limit_bytes;
    uint64_t reserve_bytes; // part of limit_bytes, for the oldest input only
    _Atomic uint64_t used_bytes;
};

// Whether an input is the oldest unfinished one. Only the oldest may use the reserve.
enum tp_rank { TP_RANK_YOUNGER, TP_RANK_OLDEST };

// Starts with all credits free, before the strands run. `reserve_bytes` is at most `limit_bytes`.
void tp_budget_init(struct tp_budget *b, uint64_t limit_bytes, uint64_t reserve_bytes);
// Takes `len_bytes` credits. False: not enough are left for this rank, and none were taken.
bool tp_budget_try_take(struct tp_budget *b, uint64_t len_bytes, enum tp_rank rank) TP_MUST_USE;
// Gives back credits that were taken. The caller then wakes the strands that wait (wake.h).
void tp_budget_give(struct tp_budget *b, uint64_t len_bytes);

#endif
