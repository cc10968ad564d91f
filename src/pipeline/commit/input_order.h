// What is shared by all inputs and written in input order: outputs of sinks that have one for all
// inputs, messages, and the manifest.
#ifndef TP_PIPELINE_COMMIT_INPUT_ORDER_H
#define TP_PIPELINE_COMMIT_INPUT_ORDER_H

#include "pipeline/core/run.h"

// Admission strand: opens shared outputs and the manifest before the first input. May block (FIFO).
void tp_input_order_begin(struct tp_run *run);
// Commit strand of the input whose turn it is, when its sinks are finished: sends messages, counts
// the input in the exit status and adds it to the manifest.
void tp_input_order_report(struct tp_input_run *in);
// Admission strand, after the last input: completes or abandons what begin opened.
void tp_input_order_end(struct tp_run *run);

#endif
