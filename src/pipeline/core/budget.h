// Memory credits of a run: units and decoders take their bytes here before they
// are allocated; a refusal means wait, not fail. A reserve is kept for the decoders
// of the oldest unfinished input, so that it can always go on and give back what
// the younger ones wait for: this prevents deadlock. (Units have their own rule to
// the same end, see unit.h.) Thread-safe, never blocks.
#ifndef TP_PIPELINE_CORE_BUDGET_H
#define TP_PIPELINE_CORE_BUDGET_H

#include <stdatomic.h>

#include "base/attr.h"

struct tp_budget {
    uint64_t limit_bytes;
    uint64_t reserve_bytes; // part of the limit only the oldest input may use
    _Atomic uint64_t used_bytes;
};

enum tp_rank { TP_RANK_YOUNGER, TP_RANK_OLDEST };

void tp_budget_init(struct tp_budget *b, uint64_t limit_bytes, uint64_t reserve_bytes);
bool tp_budget_try_take(struct tp_budget *b, uint64_t len_bytes, enum tp_rank rank) TP_MUST_USE;
void tp_budget_give(struct tp_budget *b, uint64_t len_bytes);

#endif
