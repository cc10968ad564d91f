// Makes units of ordered events: tracks the events (merge/track/tracker.h) if a sink asks for that, and
// folds them at once, gathers them for another worker to fold, or hands them out as blocks. All functions
// are called by the order strand or the puller. If memory for the tracker runs out, the events of the
// input end with an error.
#ifndef TP_PIPELINE_ORDER_BLOCKS_H
#define TP_PIPELINE_ORDER_BLOCKS_H

#include "pipeline/core/run.h"

// Returns what sinks want of a tracker: a set of enum tp_track_want; 0: nothing.
unsigned tp_blocks_tracks(const struct tp_input_run *in);
// Whether all sinks of blocks fold.
bool tp_blocks_are_folded(const struct tp_input_run *in);

// Returns the open unit, and opens one if there is none. NULL: no unit or no memory is free, and the
// strand is woken when that changes.
struct tp_slot *tp_blocks_open(struct tp_input_run *in);
// Returns the place for the unit's next events, after those gathered so far.
void *tp_blocks_next(const struct tp_slot *slot);
// Both functions add the events at slot->events to the partials of the unit, or make them its block.
// tp_blocks_submit also submits the unit.
void tp_blocks_add(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                   size_t event_count);
void tp_blocks_submit(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                      size_t event_count);
// Gathers the events at tp_blocks_next for another worker to fold. Submits the unit when it is full or
// when no more events of the generation follow.
void tp_blocks_gather(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                      size_t event_count);
// Gives out facts of what is still open when the trace ends, and submits the unit when it has enough.
// False: all of them are given out.
bool tp_blocks_submit_rest(struct tp_input_run *in, struct tp_slot *slot);

#endif
