// Ends of runs of goroutines, as partials note them for findings. Plain values.
#ifndef TP_STATS_FOLD_RUN_END_H
#define TP_STATS_FOLD_RUN_END_H

#include "base/attr.h"
#include "stats/evidence.h"

// The event that ends a run: the stack of the goroutine, and the reason; ids, 0: none.
struct tp_run_end {
    int64_t time_ns;
    uint64_t stack_id, reason_id;
};

// A run of at least TP_LONG_RUN_NS that ended by preemption, before Go 1.25 (TP_EVIDENCE_LONG_RUN).
// Stacks are indices in the tables or TP_NO_STACK.
struct tp_partial_preemption {
    uint64_t ns;         // 0: the run began before the partial, so only the stitch knows
    uint32_t stack;      // of the preemption
    uint32_t next_stack; // at which the next run of the goroutine ended; TP_NO_STACK: none tells
    bool has_next;       // next_stack is valid
};

#endif
