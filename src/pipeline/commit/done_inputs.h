// Takes inputs that are done out of a run: by the names of their outputs (--skip-existing) or by the
// record (--resume). On the thread that starts the run.
#ifndef TP_PIPELINE_COMMIT_DONE_INPUTS_H
#define TP_PIPELINE_COMMIT_DONE_INPUTS_H

#include "pipeline/core/run.h"

#define TP_INPUT_IS_DONE UINT32_MAX
// The new index of each input, by the old one. NULL: all inputs stay. Owned; freed with tp_free.
struct tp_done_inputs {
    uint32_t *index;
};

// Removes the inputs that are done from the list, and sends a message with their number.
// TP_E_USAGE: a sink has no output for each input. TP_E_MEMORY, TP_E_WRITE.
int tp_done_inputs_drop(struct tp_run *run, struct tp_done_inputs *ret_done, struct tp_error *err)
    TP_MUST_USE;

#endif
