// The findings of one input, one entry for each. Findings are judged once, from the
// totals of the input alone (findings/judge.h); the totals of a run collect the entries of its
// inputs. findings/fleet.h groups them for reports. The totals own the entries and their texts.
// One thread at a time uses the totals.
#ifndef TP_STATS_FOUND_H
#define TP_STATS_FOUND_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/wide.h"
#include "stats/figures/moment.h"
#include "stats/names/kinds.h"

// A place in the source. The texts are numbers of the totals' `names`.
struct tp_source_place {
    uint32_t function; // TP_INTERN_NONE: there is no place, and the other members are meaningless
    uint32_t file;     // TP_INTERN_NONE: only the function is known
    uint64_t line;     // 0 if the file is not known
};
// The initializer of a missing place.
#define TP_SOURCE_PLACE_NONE {TP_INTERN_NONE, TP_INTERN_NONE, 0}

// A finding has as its worst instance the longest wait, run or stop that the finding counts.
struct tp_worst {
    uint64_t ns;          // how long it lasted
    uint64_t since_ns;    // when it began, since the trace did; until tp_totals_place_moments: on the
                          // trace's clock; TP_NO_MOMENT: not known, or the kind has no instance
    int64_t wall_ns;      // the same in Unix time, or TP_NO_WALL_NS
};
// The initializer of an instance that is not known.
#define TP_WORST_NONE {0, TP_NO_MOMENT, TP_NO_WALL_NS}

// One finding of one input; a plain value.
struct tp_found {
    uint32_t path;        // of the input, as the user wrote it; a number of the totals' `names`
    uint32_t kind;        // enum tp_finding_kind
    uint32_t also;        // bit k: kind k was found, too, and is explained by this finding
    // The first finding of its kind and culprit (function and file) in its input. Reports count
    // inputs by these, because paths do not distinguish inputs: one file may be read twice, and
    // states of two machines may have the same paths.
    bool is_first;
    bool is_damaged;      // so is the input (file_rows.h)
    uint64_t value_ppm;   // in millionths of the kind's unit, at least the threshold
    uint64_t count;       // how often: waits, GC cycles, system calls, runs, stops, goroutines, tasks
    uint64_t max_ns;      // the longest; 0: not known for this kind
    uint64_t p99_ns;      // 0: not known for this kind
    struct tp_worst worst;
    uint64_t peak;        // few_ps: thousandths of goroutines that waited for a P at once in `worst`
    // What else the sentence of the kind needs. few_ps: GOMAXPROCS in thousandths, the mean over the time
    // in which it is known, and how busy the Ps were, in millionths. gc: by how much the heap grows
    // between cycles, in millionths, if only GOGC, GOMEMLIMIT or forced cycles keep it so small, else 0.
    // slow_task: the median in ns. stop_the_world: 1 if the value is the time stopped in each second.
    uint64_t detail[2];
    tp_wide lost;         // ns; for a leak, goroutines. findings/judge.h has what it is against.
    struct tp_source_place culprit; // who is to blame
    struct tp_source_place victim;  // who suffers
    // A second function: of leak, which creates the goroutines; of gc, which forces the cycles; of
    // syscall, which the culprit calls; of few_ps, which woke or created those that wait; of pool, where
    // it waits for a slot; of stop_the_world, which asks for the stops that the culprit delays, or the
    // culprit again if the collector does.
    struct tp_source_place other;
};

// The most findings of one kind that an input keeps, the greatest values first.
#define TP_FOUND_PER_KIND 16

#endif
