// The life of an input: made ready in its ingest strand, released in its commit strand. Between
// two inputs a slot stays as it is, and its strands do nothing.
#ifndef TP_PIPELINE_RUN_INPUT_LIFE_H
#define TP_PIPELINE_RUN_INPUT_LIFE_H

#include "pipeline/core/run.h"

// Admission strand. Input `index` takes the slot that the input TP_ACTIVE_MAX before it has left,
// made if need be, and begins in its ingest strand. False: out of memory.
bool tp_input_admit(struct tp_run *run, size_t index) TP_MUST_USE;
// Frees all slots. After all threads are gone.
void tp_input_slots_fini(struct tp_run *run);

#endif
