// Units and the slots that carry them from the ingest strand through a worker to the
// commit. A lane's slots are made one by one as the budget allows and reused;
// the last idle one of a lane is only for the oldest input, which can therefore
// always go on.
#ifndef TP_PIPELINE_UNIT_H
#define TP_PIPELINE_UNIT_H

#include "pipeline/state.h"

// What one slot of the lane costs; 0 if no sink uses the lane.
uint64_t tp_lane_slot_bytes(const struct tp_run *run, enum tp_lane_id lane);
// Makes the first slot of every lane in use.
int tp_lanes_init(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
void tp_lanes_fini(struct tp_run *run);

// The input's open unit of the lane, opened if need be. NULL: wait (for memory,
// or for units of this input to be committed), or the run is failing.
struct tp_slot *tp_unit_open(struct tp_input_run *in, enum tp_lane_id lane);
// A unit that is not the open one, for work before its turn; put when that has come, or
// dropped. Any worker. NULL: there is none to spare.
struct tp_slot *tp_unit_take_aside(struct tp_input_run *in, enum tp_lane_id lane);
void tp_unit_put(struct tp_input_run *in, struct tp_slot *slot);
void tp_unit_drop(struct tp_slot *slot);
// For the sinks of the lane that fold: begins a stretch; adds a block to it.
void tp_unit_fold_begin(struct tp_slot *slot);
void tp_unit_fold(struct tp_slot *slot, const struct tp_block *block);
// Makes room for TP_WIDE_BLOCKS blocks of events in an empty slot, which keeps it. False:
// there is no memory to spare, and room for one block as before.
bool tp_unit_widen(struct tp_slot *slot) TP_MUST_USE;
// Adds what was gathered in the slot, until nothing is left of it or the stretch is full.
void tp_unit_fold_gathered(struct tp_slot *slot);
// Whether a state takes more than `max_bytes`; 0: than a unit may (see fold_bytes).
bool tp_unit_fold_is_full(const struct tp_slot *slot, size_t max_bytes);
// Behind a hook of a sink that answered `rc`, with tp_tables_take_missed in front of it: what the
// hook comes to. TP_E_LIMIT, TP_E_TOO_LARGE, TP_E_MEMORY: it has asked for stacks that there was
// no room for. `tables` are those of its block, or NULL.
int tp_unit_end_looking(const struct tp_tables *tables, int rc, struct tp_error *err);
// Hands the open unit to the workers; nothing if there is none.
void tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);
// Commit strand (of the lane of blocks: the puller, if there is one): the unit behind the
// last one retired if it is done, NULL if not.
struct tp_slot *tp_unit_done(struct tp_input_run *in, enum tp_lane_id lane);
// The same: the next unit is committed.
void tp_unit_retire(struct tp_input_run *in, struct tp_slot *slot);
// Whether every unit submitted was retired.
bool tp_units_are_retired(const struct tp_input_run *in);

#endif
