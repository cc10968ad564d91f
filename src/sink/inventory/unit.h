// Counts one unit of a trace. A worker counts a unit independently of other units; the commit
// strand adds the counts to the input in stream order (input.h).
#ifndef TP_SINK_INVENTORY_UNIT_H
#define TP_SINK_INVENTORY_UNIT_H

#include "decode/tally.h"
#include "sink/sink.h"

// The counts of a unit. A worker fills them, commit reads them. Owns no memory.
struct tp_inventory_unit {
    struct tp_tally tally;
    struct tp_tally_result found[TP_UNIT_EXTENTS]; // by extent
    struct tp_sink_notes notes;
    uint64_t frequency; // before Go 1.22: the last frequency in the unit; 0: none
};

// Empties `u` and counts the unit; does not keep the unit. `on_id`, which may be NULL, is called
// with `ctx` for the ids in the events. Any worker; cannot fail.
void tp_inventory_count(struct tp_inventory_unit *u, const struct tp_unit *unit, tp_ident_fn on_id,
                        void *ctx);

#endif
