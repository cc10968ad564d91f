// Declares the judges, and the functions that they share. A judge is a function of one kind (or of
// some kinds with one source): it computes a value, and adds a finding if the value reaches the
// threshold.
#ifndef TP_STATS_FINDINGS_JUDGING_H
#define TP_STATS_FINDINGS_JUDGING_H

#include "stats/findings/judge.h"
#include "stats/findings/place.h"
#include "stats/findings/wakes.h"

// The state of tp_findings_judge for one input.
struct tp_judging {
    struct tp_totals *s;     // judges change nothing in it but add to `names`
    struct tp_file_row *row;
    TP_LIST(struct tp_judged {
        struct tp_found found;
        bool is_of_collector; // of stop_the_world: stops of the collector
        uint32_t stack;       // of p_hog: where the longest run ended; else TP_INTERN_NONE
        bool is_explained;    // by another finding (explain.h)
    }) found;                 // owned
};

// Judges one kind, or some. False: out of memory.
typedef bool tp_judge_fn(struct tp_judging *j);
tp_judge_fn tp_judge_lock;
tp_judge_fn tp_judge_gc;
tp_judge_fn tp_judge_syscall;
tp_judge_fn tp_judge_few_ps;
tp_judge_fn tp_judge_p_hog;
tp_judge_fn tp_judge_sched_latency;
tp_judge_fn tp_judge_channel;
tp_judge_fn tp_judge_stop_the_world;
tp_judge_fn tp_judge_leak;
tp_judge_fn tp_judge_slow_task;

// Returns an empty finding: no places, no figures.
struct tp_found tp_found_of(enum tp_finding_kind kind);
// Sets count, max_ns, p99_ns and lost to those of these durations.
void tp_found_set_times(struct tp_found *found, const struct tp_dist *d);
// Raises the row's value of the finding's kind to that of the finding, and adds the finding if its
// value reaches the threshold of the kind. False: out of memory.
bool tp_judging_add(struct tp_judging *j, const struct tp_found *found) TP_MUST_USE;

// Returns a figure of the row, at most UINT64_MAX.
uint64_t tp_judging_count(const struct tp_judging *j, enum tp_file_figure figure);

#endif
