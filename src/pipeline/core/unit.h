// Creates and passes on units, and the slots that carry them from the ingest strand through a
// worker to the commit strand. The slots of a lane are created one by one as the budget allows, and
// reused. The last idle slot of a lane is for the oldest input only, which can therefore always go
// on. A slot belongs to one strand or worker at a time; the functions on one are called by its
// owner unless they say otherwise.
#ifndef TP_PIPELINE_CORE_UNIT_H
#define TP_PIPELINE_CORE_UNIT_H

#include "pipeline/core/run.h"

// Returns the bytes that one slot of the lane takes from the budget; 0: no sink uses the lane.
uint64_t tp_lane_slot_bytes(const struct tp_run *run, enum tp_lane_id lane);
// Creates the first slot of every lane in use, before the strands run. Fails with TP_E_MEMORY or
// the error of a sink's `init`; tp_lanes_fini is due even then.
int tp_lanes_init(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Frees all slots, which must be idle. After the threads are gone.
void tp_lanes_fini(struct tp_run *run);

// Returns the input's open unit of the lane, and opens one if there is none. Called by the lane's
// producer (see tp_lane_queue). NULL: wait for memory, or for units of this input to be committed.
struct tp_slot *tp_unit_open(struct tp_input_run *in, enum tp_lane_id lane);
// Takes a unit besides the open one, for a speculation. The caller owns the unit until it calls
// tp_unit_put or tp_unit_drop. Any worker. NULL: no slot can be spared.
struct tp_slot *tp_unit_take_aside(struct tp_input_run *in, enum tp_lane_id lane);
// Submits the unit as the next one of its lane. Called by the lane's producer when all earlier
// units of the input were submitted.
void tp_unit_put(struct tp_input_run *in, struct tp_slot *slot);
// Gives the slot back without a commit, and wakes the strands that wait for one. Any thread.
void tp_unit_drop(struct tp_slot *slot);
// Begins an empty partial for each sink of the lane that folds.
void tp_unit_fold_begin(struct tp_slot *slot);
// Folds a block into these partials. An error of a sink is kept in slot->err until the commit.
void tp_unit_fold(struct tp_slot *slot, const struct tp_block *block);
// Enlarges `events` of an empty slot to TP_WIDE_BLOCKS blocks, for the rest of the run. False: no
// memory can be spared, and the slot still has room for one block.
bool tp_unit_widen(struct tp_slot *slot) TP_MUST_USE;
// Folds the events gathered in the slot.
void tp_unit_fold_gathered(struct tp_slot *slot);
// Whether the partial of a sink takes more than `max_bytes`, where 0 stands for unit_extra_bytes of
// the sink's plan (see grown_bytes in sink.h).
bool tp_unit_fold_is_full(const struct tp_slot *slot, size_t max_bytes);
// Decides the result of a sink's hook that returned `rc`. Call tp_tables_take_missed before the
// hook, and this function after it, both on the thread of the hook. Returns `rc`, or, if that is 0
// and the hook asked for stacks that did not fit into memory, TP_E_LIMIT, TP_E_TOO_LARGE or
// TP_E_MEMORY. `tables` belong to the hook's block; NULL: none.
int tp_unit_end_looking(const struct tp_tables *tables, int rc, struct tp_error *err);
// Hands the open unit to the workers, or to the commit strand if the lane needs no worker; does
// nothing if no unit is open. Called by the lane's producer.
void tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);
// Returns the unit after the last retired one, if workers are done with it; NULL: none. Called by
// the commit strand; for blocks by the puller, if there is one.
struct tp_slot *tp_unit_done(struct tp_input_run *in, enum tp_lane_id lane);
// Gives back slot, chunk and tables of the unit that tp_unit_done returned, once it is committed,
// and wakes the strands that wait for them. Called by the caller of tp_unit_done.
void tp_unit_retire(struct tp_input_run *in, struct tp_slot *slot);
// Whether all submitted units of the input were retired. Any thread.
bool tp_units_are_retired(const struct tp_input_run *in);

#endif
