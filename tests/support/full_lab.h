// Computes the totals of `stats:level=full` for given events, cut into partials in any way,
// and writes them as text that can be compared.
#ifndef TP_TESTS_FULL_LAB_H
#define TP_TESTS_FULL_LAB_H

#include "stats/fold/stitch.h"

// Consecutive events of one generation.
struct full_run {
    struct tp_tables *tables; // NULL: Sync events outside generations
    const struct tp_event *events;
    size_t event_count;
};

// Returns how many of the `left` events the next partial or block takes: 1 to `left`; a block
// takes at most TP_BLOCK_EVENTS. NULL: as many as possible.
typedef size_t (*full_cut_fn)(void *ctx, size_t left);
struct full_cuts {
    full_cut_fn partial;
    full_cut_fn block;
    void *ctx;
};

// Computes the totals at the end of the input. On success the caller ends them with
// tp_totals_fini; on failure they are empty.
int full_sum(const struct full_run *runs, size_t run_count, const struct full_cuts *cuts,
             struct tp_totals *ret_totals, struct tp_error *err) TP_MUST_USE;

// A line for each row of the table, as in
//     goroutine main.work running 2 30 20
//     goroutine main.work scheduling 0 0 0 cut 1 5
// (count, total, longest; count and time of cut durations), then a line for each type and
// stack, frames from the innermost on:
//     sync main.leaf:7;main.work:9 1 10
// With `all` also the totals of the whole trace, mutator utilisation, the histograms' buckets,
// program counters and files, and full_time_text. The caller frees the text. Lack of memory ends
// the program.
char *full_text(const struct tp_totals *totals, bool all);

// A line for each gauge with a value, as in
//     HEAP 5 times 2 changes 100 to 300
// then the width of buckets, and a line for each bucket with its levels that are not 0:
//     width 65536
//     0: RUNNABLE 1000 COVERED 65536
// The caller frees the text.
char *full_time_text(const struct tp_timeline *t);

#endif
