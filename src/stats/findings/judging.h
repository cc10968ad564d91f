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
    const struct tp_judged_input *input;
    // Those of the row; of a damaged input without the states that it cuts, because the event that ends
    // such a state may be lost.
    tp_wide figures[TP_FILE_FIGURE_COUNT];
    TP_LIST(struct tp_judged {
        struct tp_found found;
        // Stack that shows how the culprit came to it: of p_hog where the longest run ended, of
        // syscall that of the longest calls; else TP_INTERN_NONE.
        uint32_t stack;
        bool is_explained;    // by another finding (explain.h)
        bool is_doubtful;     // it may be none: explains others, but is not reported
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
tp_judge_fn tp_judge_pool;

// Returns an empty finding: no places, no figures.
struct tp_found tp_found_of(enum tp_finding_kind kind);
// Sets the worst instance to the longest of these durations; NULL: there are none.
void tp_found_set_worst(struct tp_found *found, const struct tp_dist *d);
// Sets count, max_ns, p99_ns, lost and the worst instance to those of these durations.
void tp_found_set_times(struct tp_found *found, const struct tp_dist *d);

// Most kinds have conditions beside the threshold of their value. How nearly a condition holds is a
// share in millionths: TP_HOLDS if it holds, and the part that is there of what is needed if not.
#define TP_HOLDS UINT64_C(1000000)
// Returns how nearly `part` is at least `whole`.
uint64_t tp_nearness(tp_wide part, tp_wide whole);
TP_INLINE uint64_t tp_greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
TP_INLINE uint64_t tp_lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Sets the figures of an input whose row is set.
void tp_judging_set_figures(struct tp_judging *j);

// Adds the finding if its value reaches the threshold of the kind and `nearness_ppm`, the nearness
// of the condition that is farthest from holding, is TP_HOLDS. Raises the row's value of the kind to
// that of the finding; if a condition does not hold, to at most that part of the threshold, so
// that value / threshold says how near the finding was. In a damaged input, a culprit whose name is
// lost is none, and no condition holds for a kind that looks for certain functions. False: out of memory.
bool tp_judging_add(struct tp_judging *j, const struct tp_found *found,
                    uint64_t nearness_ppm) TP_MUST_USE;
// Notes that the kind was judged, and nothing of it is in the input.
void tp_judging_note(struct tp_judging *j, enum tp_finding_kind kind);

// Takes back that the kind was judged: what is lost may decide whether its findings are any.
void tp_judging_doubt(struct tp_judging *j, enum tp_finding_kind kind);

// Whether GOMAXPROCS is known for half of the time or more: without it nobody knows what the Ps
// could have done.
bool tp_judging_knows_procs(const struct tp_judging *j);
// Returns the CPU time that goroutines used, in ns, without that of idle mark workers, which take
// only Ps that nobody else wants. In a damaged input, where runs may be lost, no less than the Ps were in
// use.
tp_wide tp_judging_used_ns(const struct tp_judging *j);
// Returns how nearly the Ps are idle for half of the time. If they are not, goroutines that wait
// for a P, or for a slot of a semaphore that bounds them, wait for the CPU. GOMAXPROCS must be known.
uint64_t tp_nearness_of_idle_ps(const struct tp_judging *j);
// Returns a figure of the row, at most UINT64_MAX.
uint64_t tp_judging_count(const struct tp_judging *j, enum tp_file_figure figure);

#endif
