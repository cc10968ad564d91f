// Computes the totals of `stats:level=full` for given events, cut into sums in any way,
// and writes them as text that can be compared.
#ifndef TP_TESTS_FULL_LAB_H
#define TP_TESTS_FULL_LAB_H

#include "stats/input/input.h"

// Consecutive events of one generation.
struct full_run {
    struct tp_tables *tables; // NULL: Sync events outside generations
    const struct tp_event *events;
    size_t event_count;
};

// Returns how many of the next `left` events belong to the next sums or block: 1 to `left`;
// for a block also at most TP_BLOCK_EVENTS. NULL in struct full_cuts: as many as possible.
typedef size_t (*full_cut_fn)(void *ctx, size_t left);

// Parts of generations that a speculative tracker follows (merge/track/tracker.h).
struct full_ahead {
    // Called at the end of sums, if events of their generation follow: returns how many of these the
    // speculative tracker follows, into sums of its own; 0: none.
    size_t (*cut)(void *ctx, const struct full_run *rest);
    void *ctx;
    // Counted here: trackers, and those of them that could be adopted. Where one could not, the tracker of
    // all events follows its events, too.
    size_t tried_count, adopted_count;
};

struct full_cuts {
    full_cut_fn sums;
    full_cut_fn block;
    void *ctx;
    unsigned parts; // of the statistics (enum tp_stats_part); 0: all
    uint32_t keep; // limit of goroutines, tasks and regions that are kept one by one; 0: none
    bool loosens;  // unused stacks and names make the totals be packed with every second sums
    bool gathers;  // the facts of all blocks of sums are added at once
    struct full_ahead *ahead; // NULL: no tracker is speculative
};

// Computes the totals at the end of the input. The caller frees them with tp_totals_fini; on
// failure they are empty.
int full_sum(const struct full_run *runs, size_t run_count, const struct full_cuts *cuts,
             struct tp_totals *ret_totals, struct tp_error *err) TP_MUST_USE;

// Returns the totals as text: one line for each row of the table, as in
//     goroutine main.work running 2 30 20
//     goroutine main.work runnable 0 0 0 cut 1 5
// (count, total, longest; then how many durations were cut, and their time), then one line for
// each type and stack, with frames from the innermost outwards:
//     sync main.leaf:7;main.work:9 1 10
// With `all` also totals over the whole input, mutator utilisation, histogram buckets, program
// counters, files, full_pairs_text, and full_time_text. The caller frees the text. Ends the program
// if memory is lacking.
char *full_text(const struct tp_totals *totals, bool all);

// Returns the timeline as text: one line for each gauge that the trace reported, as in
//     HEAP 5 times 2 changes 100 to 300
// one line with the width of a bucket, and one for each bucket with its nonzero levels:
//     width 65536
//     0: RUNNABLE 1000 COVERED 65536
// The caller frees the text.
char *full_time_text(const struct tp_timeline *t);
// Returns the groups of pairs of stacks as text: one sorted line for each reason or evidence
// (stats/evidence.h), with the stacks and the histogram, as in
//     woken sync [sync.Lock:3;main.get:9] [sync.Unlock:4;main.put:12] 2 40 30 20:1 21:1
//     BLAMED [sync.Lock:3;main.get:9] [sync.Unlock:4;main.put:12] 2 15 0
// The caller frees the text.
char *full_pairs_text(const struct tp_totals *s);
// Whether the waits by who ended them come to all blocked time that was not cut, except waits for
// the network and those without a reason: goroutines that switch to another end those.
bool full_wakes_add_up(const struct tp_totals *s);
// Returns where the time of tasks and regions went as text: one line for each name and bucket, as
// in
//     of task alpha 20: 2 RUNNING 30 SYNC 10 assists 5
// The caller frees the text.
char *full_breakdown_text(const struct tp_totals *totals);
// Returns the slowest tasks, with their log lines, and regions, in a text that the caller frees:
//     slow [region] NS NAME ID of GOROUTINE at BEGIN CLASSES assists NS log AFTER CATEGORY-CUT MESSAGE-CUT
char *full_slow_text(const struct tp_totals *totals);
// Whether the breakdowns have all tasks and regions that are not cut, with all their time.
bool full_breakdowns_add_up(const struct tp_totals *s);
// Returns levels by the wall clock as full_time_text does, after a line with the number of files
// and that of the first bucket; empty if there are no files.
char *full_wall_time_text(const struct tp_wall_timeline *w);

#endif
