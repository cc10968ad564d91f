// Gathers the bytes of an input that sinks take whole: a state of statistics. The commit strand
// hands them over and frees them (tp_state_input in core/input.h).
//
// The memory is taken from the budget, at most what is reserved for the decoders of one input:
// the oldest input always gets that much (budget.h).
#ifndef TP_PIPELINE_READ_STATE_INPUT_H
#define TP_PIPELINE_READ_STATE_INPUT_H

#include "pipeline/read/stream.h"

// Ingest strand. Adds the current extent if the input is a state; else does nothing. WAIT: no
// memory now; call again with the same extent. If the state can never fit, the input is cut and
// the error of its stream is TP_E_LIMIT or TP_E_TOO_LARGE.
enum tp_stage_status tp_state_input_add(struct tp_input_run *in);

#endif
