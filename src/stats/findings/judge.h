// Judges the findings of one input (stats/names/kinds.h). Everything is computed by integers from the
// totals of the input alone, so it depends neither on where events were cut nor on other inputs.
// One thread at a time uses the totals.
#ifndef TP_STATS_FINDINGS_JUDGE_H
#define TP_STATS_FINDINGS_JUDGE_H

#include "stats/totals.h"

// Facts of an input that its totals do not have, and on which its judgement depends.
struct tp_judged_input {
    bool has_doubtful_clock; // merge/tables/clock_doubt.h
    // The input is damaged, and most events are of generations without any string, such as one
    // whose end was cut off: reasons of blocking, and names of functions, tasks and phases of the
    // collector are not known there.
    bool lacks_names;
    // Events of which a stack or string is lost: as many goroutines that nobody seems to have woken may be
    // some whose waker is not known.
    uint64_t lost_stack_count;
};

// Judges the only input in these totals, whose row tp_totals_add_file has added last: sets the
// judgement and the values of the row, and adds what was found to s->found. Drops the evidence of
// the input, which nothing else reads. False: out of memory; then only tp_totals_fini may follow.
bool tp_findings_judge(struct tp_totals *s, const struct tp_judged_input *input) TP_MUST_USE;

// Returns what the time lost by a finding of this kind is weighed against in an input, whether or
// not it was found there: ns, for a leak a number of goroutines. The sum over the judged inputs of
// a run is what importance is computed from.
tp_wide tp_finding_against(const struct tp_file_row *row, enum tp_finding_kind kind);
// Returns the capacity of an input, in ns: GOMAXPROCS over all of its time. The time for which
// GOMAXPROCS is not known yet counts as the rest.
tp_wide tp_file_capacity_ns(const struct tp_file_row *row);
// Returns part / whole in millionths, rounded down, at most UINT64_MAX - 1; 0 if `whole` is 0.
// Exact if `part` is below 2^108.
uint64_t tp_ppm_of(tp_wide part, tp_wide whole);

#endif
