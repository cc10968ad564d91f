// Begins and ends inputs: the ingest strand of an input prepares it, its commit strand releases it.
// From the end of one input to the beginning of the next, an input's slot (struct tp_input_run) is
// not changed, and its strands do nothing.
#ifndef TP_PIPELINE_RUN_INPUT_LIFE_H
#define TP_PIPELINE_RUN_INPUT_LIFE_H

#include "pipeline/core/run.h"

// Gives input `index` the slot of input `index` - TP_ACTIVE_MAX, whose turn is over, or a new slot,
// and wakes its ingest strand, which begins the input. Admission strand. False: out of memory, and
// the input is not admitted.
bool tp_input_admit(struct tp_run *run, size_t index) TP_MUST_USE;
// Frees all slots. Call after all threads are gone.
void tp_input_slots_fini(struct tp_run *run);

#endif
