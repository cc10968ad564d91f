// Groups what was found in the inputs of a run: one row for each kind and culprit, the most
// important first. Reports print from here only. The rows depend on the inputs, and not on the
// order or grouping in which they were added.
//
// Rows borrow the totals: names are numbers of s->names, and are valid until the totals change.
#ifndef TP_STATS_FINDINGS_FLEET_H
#define TP_STATS_FINDINGS_FLEET_H

#include "base/err.h"
#include "stats/totals.h"

// The most victims of a row.
#define TP_FLEET_VICTIMS 3

// One row: findings of one kind with one culprit (function and file), in one or more inputs. A
// plain value.
struct tp_fleet_row {
    enum tp_finding_kind kind;
    uint32_t also;           // bit k: kind k is explained by this finding, in at least one input
    uint64_t value_ppm;      // the greatest of its inputs, in millionths of tp_finding_kinds[kind].unit
    uint64_t importance_ppm; // over all judged inputs; at most 1,000,000
    uint32_t file_count;     // inputs with this finding
    uint32_t path_count;     // their different paths
    uint32_t damaged_count;  // damaged inputs; the finding holds as far as they could be read
    uint32_t worst_path;     // the input with the greatest value; a name
    uint64_t count;          // sums over its inputs (found.h)
    tp_wide lost;            // ns; goroutines for a leak
    uint64_t max_ns;         // the greatest of its inputs; 0: not known
    uint64_t p99_ns;         // the greatest of its inputs; 0: not known
    struct tp_source_place culprit; // of the worst input; function TP_INTERN_NONE: unknown
    struct tp_source_place other;   // of the worst input, as the next (found.h)
    uint64_t detail[2];
    // The findings of the row, the one with the greatest value first. An input may have several with
    // other victims. Borrowed from the totals by way of the fleet.
    const struct tp_found *const *found;
    uint32_t found_count;
    uint32_t victim_count;
    uint32_t more_victims;   // victims that are left out
    struct tp_fleet_victim {
        struct tp_source_place place;
        uint64_t share_ppm;  // of `lost`
    } victims[TP_FLEET_VICTIMS]; // the greatest share first; a victim always has a function
};

// All rows of a run, and how many inputs were judged. Owns its rows and `found`; tp_fleet_fini frees
// them.
struct tp_fleet {
    TP_LIST(struct tp_fleet_row);
    const struct tp_found **found; // all findings, those of a row together
    uint64_t judgements[TP_JUDGEMENT_COUNT]; // number of read inputs by enum tp_judgement (file_rows.h)
    uint64_t not_judged[TP_FINDS_COUNT]; // judged inputs in which this kind was not, by kind
    // The nearest miss, if there are no rows: the greatest value / threshold. TP_FINDS_NONE: there is
    // none, because no value is above 0.
    enum tp_finding_kind nearest;
    uint64_t nearest_ppm;    // its part of the threshold, in millionths
    uint32_t nearest_path;   // a name
};

// Makes the rows from s->found and s->files. Fails with TP_E_MEMORY; *ret_fleet is then empty.
int tp_fleet_make(const struct tp_totals *s, struct tp_fleet *ret_fleet,
                  struct tp_error *err) TP_MUST_USE;
// Frees the rows; the fleet is then empty. Accepts a zeroed one.
void tp_fleet_fini(struct tp_fleet *fleet);

#endif
