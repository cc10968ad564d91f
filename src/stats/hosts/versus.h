// Compares two fleets, the new side of a run with its baseline, by the values that each measure (measures.h)
// has for the hosts of either side. Tasks, regions, functions and findings are matched by their names, hosts
// and files never.
//
// The rule: a measure has changed if
//   - the medians of the two sides differ by 10 % and by the measure's least change, and
//   - the confidence intervals of the medians do not meet. An interval ends at two values of the sorted hosts
//     whose ranks follow from the number of hosts alone, so whatever the values' distribution is, one
//     comparison in a hundred of two halves of one fleet has a change by chance (Bonferroni over all measures
//     and names that are compared).
// Where a side has so few hosts that no rank is far enough out, all its values must lie beyond all of the
// other, by the least effect for a single host, and the medians differ by a factor of 2, or 3 if a side has one
// host: what noise is cannot be known there.
//
// A task, a region or a finding with its culprit is new, or gone, if no host of the other side has it and more
// than half of this one do, so many that chance does not put them on one side, or all if they are few.
//
// The result depends on the inputs only. Borrows the totals of both sides, which must not change.
#ifndef TP_STATS_HOSTS_VERSUS_H
#define TP_STATS_HOSTS_VERSUS_H

#include "stats/hosts/measures.h"

// The sides, as indexes.
enum tp_versus_side { TP_VERSUS_BEFORE, TP_VERSUS_AFTER, TP_VERSUS_SIDES };

// What a change is, the order in which changes are listed. MORE and LESS are neither good nor bad.
// X(VERDICT, key)
#define TP_VERSUS_VERDICTS(X)                                                              \
    X(NEW, "new")                                                                          \
    X(WORSE, "worse")                                                                      \
    X(BETTER, "better")                                                                    \
    X(GONE, "gone")                                                                        \
    X(MORE, "more")                                                                        \
    X(LESS, "less")

enum tp_versus_verdict {
#define TP_X(verdict, key) TP_VERSUS_##verdict,
    TP_VERSUS_VERDICTS(TP_X)
#undef TP_X
    TP_VERSUS_VERDICT_COUNT
};

// A change; a plain value.
struct tp_change {
    enum tp_versus_verdict verdict;
    enum tp_host_measure measure;
    struct tp_span name;   // of the task, region, function or type of events; empty ptr: the measure has none
    uint64_t values[TP_VERSUS_SIDES]; // medians, in the measure's unit
    uint32_t host_counts[TP_VERSUS_SIDES]; // hosts whose values these are of; of new and gone, that have it
    // What the change costs or saves, in thousandths of goroutines: time per second of a host; 0: no time.
    uint64_t time;
    uint64_t severity_ppm; // how many times the least change, in millionths
    // The class of time of the median task or region that has changed most, to the same side, and by how much.
    enum tp_class class;
    uint64_t class_ns;     // 0: none
    // Whose totals have the members below: the side with the greater value.
    enum tp_versus_side of;
    const struct tp_found *found;  // of a finding, the greatest one; NULL: it has none
    const struct tp_file_top *top; // of a task, region or function, that with most time; NULL: none
};

struct tp_versus_hosts {
    const struct tp_totals *totals; // borrowed
    struct tp_hosts hosts;
};

// A zeroed object is empty. tp_versus_fini frees it.
struct tp_versus {
    struct tp_versus_hosts sides[TP_VERSUS_SIDES];
    // By kind of verdict (new and worse, better and gone, more and less); then findings first, which name
    // the cause, then by time, then by severity.
    TP_LIST(struct tp_change);
    bool is_compared; // both sides have hosts
    bool are_few;     // so few that the noise is not known
};

// Compares two sides. Fails with TP_E_MEMORY; the object is then empty.
int tp_versus_make(const struct tp_totals *before, const struct tp_totals *after,
                   struct tp_versus *ret_versus, struct tp_error *err) TP_MUST_USE;
void tp_versus_fini(struct tp_versus *v);
// Returns the change beside that of a slower or faster task which may be its cause: of a region, or a function that
// waits, with most time; NULL: there is none.
const struct tp_change *tp_versus_beside(const struct tp_versus *v, const struct tp_change *change);

#endif
