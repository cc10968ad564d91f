// The life of an input: made ready in its ingest strand, released in its commit strand. Between
// two inputs a slot stays as it is, and its strands do nothing.
#ifndef TP_PIPELINE_RUN_INPUT_LIFE_H
#define TP_PIPELINE_RUN_INPUT_LIFE_H

#include "pipeline/core/state.h"

// Admission strand. The slot for input `index`, which the input before it has left; made if need
// be, and then with its strands. NULL: out of memory.
struct tp_input_run *tp_input_slot(struct tp_run *run, size_t index);
// Frees all slots. After all threads are gone.
void tp_input_slots_fini(struct tp_run *run);

#endif
