// Lists the hosts that do not fit the others, the worst first, each with the measures in which it differs.
//
// The rule: a host differs in a measure if it lies beyond the fleet's median by the measure's least effect
// (measures.h), and by so many robust deviations that, if deviations are normal, one fleet of a hundred
// lists a healthy host (Bonferroni over all values that are compared). A deviation is the median of the
// distances from the median, or the distance of the upper quartile if that is greater, scaled as for the
// normal distribution, and at least 5 % of the median. A measure whose values fall into two groups, each
// with a quarter of the hosts or more, separates these in place of single hosts: at the widest gap, or at the threshold
// of a finding.
//
// The result depends on the inputs only. Borrows the totals, whose lists and texts must not change.
#ifndef TP_STATS_HOSTS_DIFFER_H
#define TP_STATS_HOSTS_DIFFER_H

#include "stats/hosts/measures.h"

// Fewer hosts, or values of a measure, are not compared.
#define TP_HOSTS_LEAST 10

// A measure in which a host differs.
struct tp_difference {
    uint32_t host;                 // index in `hosts`
    enum tp_host_measure measure;
    uint32_t name;                 // of the task, region, function or type of events; TP_INTERN_NONE: none
    const struct tp_file_top *top; // NULL: none; of the host's input in which it took most time
    const struct tp_found *found;  // of a finding, the one with the greatest value of the host; else NULL
    uint64_t value, fleet_value;   // in the measure's unit; the fleet's is the median
    uint64_t severity_ppm;         // how many times the least effect the distance is, in millionths
    uint64_t procs;                // GOMAXPROCS in thousandths if it is another one than that of the fleet; or 0
    // The class of time on which the median task or region spends most more than that of the fleet, and how
    // much more.
    enum tp_class class;
    uint64_t class_ns;             // 0: on none
};

// A host that differs, with its differences: findings first, then by severity.
struct tp_differing_host {
    uint32_t host;
    uint32_t first, count; // of `differences`
    uint32_t line;         // hosts whose first differences have one measure, name and culprit share a line
};

// Returns the difference of the same host beside that of a slow task, its first one, which may be the cause: of a region,
// or a function that waits; NULL: there is none.
const struct tp_difference *tp_difference_beside(const struct tp_difference *first, uint32_t count);

// A measure whose values fall into two groups.
struct tp_two_groups {
    enum tp_host_measure measure;
    uint32_t name;         // as of a difference
    uint32_t low_count, high_count;
    uint64_t low, high;    // their medians
};

// A zeroed object is empty. tp_differs_fini frees it.
struct tp_differs {
    struct tp_hosts hosts;
    TP_LIST(struct tp_differing_host); // by line, the one with the worst host first, then the worst first
    struct tp_differences {
        TP_LIST(struct tp_difference);
    } differences;
    struct tp_groups {
        TP_LIST(struct tp_two_groups);
    } groups;              // by measure and name
    uint64_t not_compared_count; // tasks and regions that the rows of all hosts leave away
    bool *are_on_lines;    // by index in the totals' `found`: the first difference of its host is this finding
    uint64_t fleet_procs;  // the median of GOMAXPROCS in thousandths; 0: not known
    bool is_compared;      // there are enough hosts, and half of them share a task, region or wait
};

// Compares the hosts of these totals. Fails with TP_E_MEMORY; the object is then empty.
int tp_differs_make(const struct tp_totals *s, struct tp_differs *ret_differs,
                    struct tp_error *err) TP_MUST_USE;

// How a host stands in a measure, whether it differs there or not.
struct tp_host_watch {
    struct tp_span host_name; // set by the caller, as the next three members
    enum tp_host_measure measure;
    struct tp_span name;      // of the task, region or waiting function; empty: the measure has none
    bool is_below;            // a value below the fleet's is watched, not one above it
    uint32_t host;            // index in `hosts`; their count: it was not analysed
    bool is_compared;         // the host was compared in this measure, and the next members are set
    uint64_t value, fleet_value;
    uint64_t least_distance;  // of a value from the fleet's, on that side, if the host differs
};
// Does the same, and sets what the watches do not have yet.
int tp_differs_make_watching(const struct tp_totals *s, struct tp_host_watch *watches, size_t watch_count,
                             struct tp_differs *ret_differs, struct tp_error *err) TP_MUST_USE;
void tp_differs_fini(struct tp_differs *d);

#endif
