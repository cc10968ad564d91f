// Makes units of ordered events: tracks the events (merge/track/tracker.h) if a sink asks for that, and
// folds them at once, gathers them for another worker to fold, or hands them out as blocks. All functions
// are called by the order strand or the puller. Without memory for the tracker the events end.
#ifndef TP_PIPELINE_ORDER_BLOCKS_H
#define TP_PIPELINE_ORDER_BLOCKS_H

#include "pipeline/core/run.h"

// Returns what sinks want of a tracker: a set of enum tp_track_want; 0: nothing.
unsigned tp_blocks_tracks(const struct tp_input_run *in);
// Whether all sinks of blocks fold.
bool tp_blocks_are_folded(const struct tp_input_run *in);

// Returns the open unit, and opens one if there is none. NULL: wait for one.
struct tp_slot *tp_blocks_open(struct tp_input_run *in);
// Returns the place for the unit's next events, after those gathered so far.
void *tp_blocks_next(const struct tp_slot *slot);
// Adds events at slot->events to the partials of the unit, or makes them its block; the second submits
// the unit then.
void tp_blocks_add(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                   size_t event_count);
void tp_blocks_submit(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                      size_t event_count);
// Gathers the events at tp_blocks_next for another worker to fold. Submits the unit when it is full or
// when no more events of the generation follow.
void tp_blocks_gather(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                      size_t event_count);
// Gives out what the trace cuts, and submits the unit when it has enough. False: there is no more.
bool tp_blocks_submit_rest(struct tp_input_run *in, struct tp_slot *slot);

#endif
