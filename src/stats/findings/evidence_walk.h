// Walks the evidence of one input (stats/evidence.h), and groups it by the function that it blames.
// Borrows the totals, which must not change meanwhile.
#ifndef TP_STATS_FINDINGS_EVIDENCE_WALK_H
#define TP_STATS_FINDINGS_EVIDENCE_WALK_H

#include "stats/evidence.h"
#include "stats/findings/judging.h"

// A walk over the evidence of one kind. Initialize with {.s = ..., .evidence = ...}.
struct tp_evidence_walk {
    const struct tp_totals *s;
    enum tp_evidence evidence;
    uint32_t next_group;        // of the walk alone
    // Results of tp_evidence_next. TP_INTERN_NONE: stacks that were not kept.
    uint32_t stack;             // the left one of the pair
    uint32_t right;             // the right one
    const struct tp_dist *dist; // never NULL
};
// Goes to the next stack with such evidence. False: there is no further one.
bool tp_evidence_next(struct tp_evidence_walk *walk);

// Whether the runtime interrupted the goroutine whose run ended with this stack: it could do so
// anywhere (runtime.asyncPreempt), and nobody held the P.
bool tp_run_is_interrupted(const struct tp_totals *s, uint32_t stack);
// The runtime looks every 10 ms or more often which runs have taken 10 ms, and interrupts these. A run
// that it could interrupt, but not within this time, shows that the machine was late.
#define TP_LATE_INTERRUPT_NS 25000000
// Returns the function in which the run of a walk over long runs spent its time. A goroutine that was
// preempted without an interrupt was about to enter the innermost function, so its caller ran. If the
// stack lacks both (TP_PREEMPTION_LACKS_RUNNER), the caller is the function by which the stack of
// the next run's end goes on, if that stack begins with all of this one. Otherwise the place is the
// innermost one that the stack shows. No place: the stack has no frame of the program.
struct tp_source_place tp_run_place(const struct tp_evidence_walk *run);
// Does the same, but returns no place if the stacks do not show the function that ran.
struct tp_source_place tp_run_place_if_shown(const struct tp_evidence_walk *run);

// Runs of at least some time: how many, and their sum.
struct tp_long_runs {
    uint64_t count;
    tp_wide ns;
};
// Sets *ret to the runs of at least `least_ns`, by bucket. False: more than a tenth of the time of
// these runs, which are those of one function, is in shorter ones.
bool tp_runs_are_long(const struct tp_dist *runs, uint64_t least_ns, struct tp_long_runs *ret);

// EVIDENCE BY FUNCTION

// Evidence with the places that are to blame. The owner frees `items` with tp_free; the
// distributions are borrowed.
struct tp_blames {
    TP_LIST(struct tp_blame_item {
        struct tp_source_place place;
        uint32_t stack;
        const struct tp_dist *dist;
        bool is_interrupted; // runs that the runtime interrupted
    });
};
// Adds the evidence to which the walk has come; ignores a missing place. False: out of memory.
bool tp_blames_add(struct tp_blames *blames, const struct tp_source_place *place,
                   const struct tp_evidence_walk *walk) TP_MUST_USE;

// The evidence of one function.
struct tp_blamed {
    struct tp_source_place culprit; // with the line that has most time
    struct tp_dist all;             // without interrupted runs; valid during the call of `judge`
    uint32_t stack;                 // of the longest in `all`; of equal ones that with the least hash
    uint64_t interrupted_ns;        // the longest interrupted run; 0: there is none
};
// Calls `judge` for each function, by name, unless all of its evidence is interrupted runs. False:
// out of memory, or `judge` returned false.
bool tp_blames_judge(struct tp_blames *blames, struct tp_judging *j,
                     bool (*judge)(struct tp_judging *j, const struct tp_blamed *of, void *ctx),
                     void *ctx) TP_MUST_USE;

#endif
