// The bytes of an input that sinks read whole: a state of statistics. The ingest strand gathers
// them, the commit strand hands them over and lets them go.
//
// Memory comes out of the budget, at most what is reserved for the decoders of one input:
// whoever is the oldest always gets that much (budget.h).
#ifndef TP_PIPELINE_STATE_INPUT_H
#define TP_PIPELINE_STATE_INPUT_H

#include "base/buf.h"

struct tp_input_run;

struct tp_state_input {
    struct tp_buf buf;        // nothing: ptr is NULL
    uint64_t reserved_bytes;  // of the budget
};

enum tp_state_input_status { TP_STATE_INPUT_OK, TP_STATE_INPUT_WAIT };

// Ingest strand. The extent that is handed on, if its input is such a one. WAIT: no memory
// now; come again with it. Where there will be none, the input is cut and its stream has
// the error (TP_E_LIMIT, or TP_E_TOO_LARGE).
enum tp_state_input_status tp_state_input_add(struct tp_input_run *in);
// Commit strand, when the ingest strand has ended; may come again.
void tp_state_input_drop(struct tp_input_run *in);

#endif
