// Writes, in input order, the outputs that all inputs share: those of sinks with one output for all
// inputs, messages, and the manifest. Failures fail the run.
#ifndef TP_PIPELINE_COMMIT_INPUT_ORDER_H
#define TP_PIPELINE_COMMIT_INPUT_ORDER_H

#include "pipeline/core/run.h"

// Opens shared outputs and the manifest. Admission strand, before the first input. May block on a
// FIFO.
void tp_input_order_begin(struct tp_run *run);
// Sends messages about a finished input, counts it in the exit status and adds it to the manifest.
// Commit strand of the input that has the turn.
void tp_input_order_report(struct tp_input_run *in);
// Completes the outputs that tp_input_order_begin opened, or abandons them if the run has failed.
// Admission strand, after the last input.
void tp_input_order_end(struct tp_run *run);

#endif
