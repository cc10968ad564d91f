// The life of an input: its ingest strand prepares it, its commit strand releases it. Between two
// inputs a slot is not changed, and its strands do nothing.
#ifndef TP_PIPELINE_RUN_INPUT_LIFE_H
#define TP_PIPELINE_RUN_INPUT_LIFE_H

#include "pipeline/core/run.h"

// Gives input `index` the slot that the input TP_ACTIVE_MAX before it has left, or a new one, and
// posts its ingest strand, which begins the input. Admission strand. False: out of memory.
bool tp_input_admit(struct tp_run *run, size_t index) TP_MUST_USE;
// Frees all slots. Call after all threads are gone.
void tp_input_slots_fini(struct tp_run *run);

#endif
