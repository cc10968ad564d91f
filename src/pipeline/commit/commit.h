// The commit strand of an input: hands done units to the sinks in stream order, assembles
// generations, completes the input's own outputs. It runs on whichever worker finished the
// missing piece.
#ifndef TP_PIPELINE_COMMIT_COMMIT_H
#define TP_PIPELINE_COMMIT_COMMIT_H

#include "pipeline/core/state.h"

// Names the input's own outputs. When the input is begun, before any unit. TP_E_MEMORY.
int tp_commit_init(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Frees what the sinks kept of the input. After its turn.
void tp_commit_fini(struct tp_input_run *in);

// One step of the strand, while the input is live. True, once: all sinks are finished with the
// input, whose turn it is.
bool tp_commit_step(struct tp_input_run *in) TP_MUST_USE;

#endif
