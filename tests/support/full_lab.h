// What `stats:level=full` comes to for events at hand, cut into partials anyhow, and
// as text that can be compared.
#ifndef TP_TESTS_FULL_LAB_H
#define TP_TESTS_FULL_LAB_H

#include "stats/fold/stitch.h"

// Events in a row, of one generation.
struct full_run {
    struct tp_tables *tables; // NULL: Sync events outside generations
    const struct tp_event *events;
    size_t event_count;
};

// How many of the `left` events the next partial or block takes: 1 to `left`, of a block
// at most TP_BLOCK_EVENTS. NULL: as many as it can.
typedef size_t (*full_cut_fn)(void *ctx, size_t left);
struct full_cuts {
    full_cut_fn partial;
    full_cut_fn block;
    void *ctx;
};

// The totals at the end of the input. On failure they are empty; else the caller's to fini.
int full_sum(const struct full_run *runs, size_t run_count, const struct full_cuts *cuts,
             struct tp_totals *ret_totals, struct tp_error *err) TP_MUST_USE;

// A line for each row of the table, as in
//     goroutine main.work running 2 30 20
//     goroutine main.work scheduling 0 0 0 cut 1 5
// (count, total, longest; cut ones and their time), then one for each type and stack,
// frames from the innermost on:
//     sync main.leaf:7;main.work:9 1 10
// With `all` also the totals of the whole, mutator utilisation, the histograms' buckets, program
// counters and files, and full_time_text. The caller frees it. Memory that is lacking ends the
// program.
char *full_text(const struct tp_totals *totals, bool all);

// A line for each gauge that was told, as in
//     HEAP 5 times 2 changes 100 to 300
// one for the width, and one for each bucket with the levels that are not 0 in it:
//     width 65536
//     0: RUNNABLE 1000 COVERED 65536
// The caller frees it.
char *full_time_text(const struct tp_timeline *t);

#endif
