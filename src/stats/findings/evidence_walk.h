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
    const struct tp_dist *dist; // never NULL
};
// Goes to the next stack with such evidence. False: there is no further one.
bool tp_evidence_next(struct tp_evidence_walk *walk);
// Returns the sum of all evidence of one kind, in ns.
tp_wide tp_evidence_total_ns(const struct tp_totals *s, enum tp_evidence evidence);

// Whether a run that ended with this stack shows who held the P: not if the runtime could interrupt
// the goroutine anywhere (runtime.asyncPreempt). Such a run is long only if the machine is late.
bool tp_run_shows_holder(const struct tp_totals *s, uint32_t stack);
// Returns the function in which a run of this evidence spent its time. A goroutine preempted without
// an interrupt was about to enter the innermost function, so its caller ran; a stack of one frame does
// not tell the caller. No place: the stack has no frame of the program.
struct tp_source_place tp_run_place(const struct tp_totals *s, enum tp_evidence evidence,
                                    uint32_t stack);

// EVIDENCE BY FUNCTION

// Durations with the places that are to blame. The owner frees `items` with tp_free; the
// distributions are borrowed.
struct tp_blames {
    TP_LIST(struct tp_blame_item {
        struct tp_source_place place;
        const struct tp_dist *dist;
    });
};
// Adds durations; ignores a missing place. False: out of memory.
bool tp_blames_add(struct tp_blames *blames, const struct tp_source_place *place,
                   const struct tp_dist *dist) TP_MUST_USE;
// Calls `judge` for each function, by name, with the sum of its durations and with its line that
// has most of them. `all` is valid during the call. False: out of memory, or `judge` returned false.
bool tp_blames_judge(struct tp_blames *blames, struct tp_judging *j,
                     bool (*judge)(struct tp_judging *j, const struct tp_source_place *culprit,
                                   const struct tp_dist *all)) TP_MUST_USE;

#endif
