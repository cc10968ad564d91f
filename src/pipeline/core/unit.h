// Units and the slots that carry them from the ingest strand through a worker to the
// commit. A lane's slots are made one by one as the budget allows and reused;
// the last idle one of a lane is only for the oldest input, which can therefore
// always go on.
#ifndef TP_PIPELINE_CORE_UNIT_H
#define TP_PIPELINE_CORE_UNIT_H

#include "pipeline/core/run.h"

// Bytes that one slot of the lane takes from the budget; 0: no sink uses the lane.
uint64_t tp_lane_slot_bytes(const struct tp_run *run, enum tp_lane_id lane);
// Makes the first slot of every lane in use.
int tp_lanes_init(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
void tp_lanes_fini(struct tp_run *run);

// The input's open unit of the lane, opened if need be. NULL: wait (for memory,
// or for units of this input to be committed), or the run is failing.
struct tp_slot *tp_unit_open(struct tp_input_run *in, enum tp_lane_id lane);
// A unit besides the open one, for work before its turn. The caller owns it until tp_unit_put,
// when its turn has come, or tp_unit_drop. Any worker. NULL: there is none to spare.
struct tp_slot *tp_unit_take_aside(struct tp_input_run *in, enum tp_lane_id lane);
void tp_unit_put(struct tp_input_run *in, struct tp_slot *slot);
void tp_unit_drop(struct tp_slot *slot);
// For the sinks of the lane that fold: begins a partial; folds a block into it.
void tp_unit_fold_begin(struct tp_slot *slot);
void tp_unit_fold(struct tp_slot *slot, const struct tp_block *block);
// Enlarges `events` of an empty slot to TP_WIDE_BLOCKS blocks; the slot stays that large. False:
// there is no memory to spare, and the slot still has room for one block.
bool tp_unit_widen(struct tp_slot *slot) TP_MUST_USE;
// Folds the events gathered in the slot until none is left or the partial is full.
void tp_unit_fold_gathered(struct tp_slot *slot);
// Whether a sink's partial takes more than `max_bytes`; 0: more than a unit may (see fold_bytes).
bool tp_unit_fold_is_full(const struct tp_slot *slot, size_t max_bytes);
// Call after a sink's hook that returned `rc`, and tp_tables_take_missed before the hook. Returns
// `rc`, or, if that is 0 and the hook asked for stacks that did not fit into memory, TP_E_LIMIT,
// TP_E_TOO_LARGE or TP_E_MEMORY. `tables` are those of its block, or NULL.
int tp_unit_end_looking(const struct tp_tables *tables, int rc, struct tp_error *err);
// Hands the open unit to the workers, or to the commit strand if the lane needs no worker; does
// nothing if none is open.
void tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);
// Commit strand (for blocks the puller, if there is one). The unit after the last retired one;
// NULL: there is none, or it is not done.
struct tp_slot *tp_unit_done(struct tp_input_run *in, enum tp_lane_id lane);
// Same thread, after the unit of tp_unit_done is committed: gives back its slot, chunk and tables.
void tp_unit_retire(struct tp_input_run *in, struct tp_slot *slot);
// Whether every unit submitted was retired.
bool tp_units_are_retired(const struct tp_input_run *in);

#endif
