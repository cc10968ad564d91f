// Counts the events of an input as Go's raw reader does: batch by batch by default, and exactly as
// that reader sees the bytes under --strict (strict.h).
// `footprint` prints these counts, and `stats` the counts by type under --strict.
#ifndef TP_SINK_COUNTS_STRICT_TALLY_H
#define TP_SINK_COUNTS_STRICT_TALLY_H

#include "sink/inventory/unit.h"
#include "sink/strict.h"

// The counts of one unit. A worker fills them, then commit reads them. Owns no memory.
struct tp_unit_tally {
    struct tp_inventory_unit found; // its tally and notes only
    const struct tp_arg_table *table;
    size_t flat_from; // offset in the unit where flat reading must begin, or TP_NEVER_FLAT
};

// The counts of an input; used by its commit strand only.
struct tp_input_tally {
    struct tp_tally tally;
    struct tp_strict strict; // the caller ends and frees it
};

// Counts one unit; the `work` of a sink calls it, on any worker. Fails as tp_walk_events.
int tp_unit_tally_count(struct tp_unit_tally *u, const struct tp_unit *unit, bool strict,
                        struct tp_error *err) TP_MUST_USE;

// Starts with no counts. Allocates nothing.
void tp_input_tally_init(struct tp_input_tally *in, const struct tp_format *format);
// Adds the counts of a unit; the `commit` of a sink calls it, for units in stream order. Fails as
// tp_strict_commit, at the place where Go's reader fails; the counts up to that place stay, and
// later calls do nothing.
int tp_input_tally_add(struct tp_input_tally *in, const struct tp_unit_tally *u,
                       const struct tp_unit *unit, struct tp_error *err) TP_MUST_USE;

#endif
