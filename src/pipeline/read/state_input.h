// Gathers all bytes of an input that is a state (totals of an earlier run as bytes), which sinks
// take as a whole. The commit strand hands the bytes over and frees them (tp_state_input in
// core/input.h).
//
// The memory is charged to the run's account. Younger inputs wait where it is much, and the oldest
// one may take all that the totals of the run leave (base/account.h).
#ifndef TP_PIPELINE_READ_STATE_INPUT_H
#define TP_PIPELINE_READ_STATE_INPUT_H

#include "pipeline/read/stream.h"

// Adds the current extent if the input is a state; otherwise does nothing. Ingest strand.
// TP_STAGE_WAIT: no memory is free now; call again with the same extent. If the state can never
// fit, reading ends, and the error of the stream is TP_E_LIMIT or TP_E_TOO_LARGE.
enum tp_stage_status tp_state_input_add(struct tp_input_run *in);

#endif
