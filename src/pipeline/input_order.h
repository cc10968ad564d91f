// What happens in input order, one input after the other: sinks with one output
// for all inputs finish the input, messages about it are sent, the manifest gets
// its entry, and the next input has the turn. After the last one the run ends.
#ifndef TP_PIPELINE_INPUT_ORDER_H
#define TP_PIPELINE_INPUT_ORDER_H

#include "pipeline/state.h"

// Commit strand of the input whose turn it is; afterwards `in` is free for
// another input.
void tp_input_order_take(struct tp_input_run *in);
// commit.c: finishes the sinks that share an output with other inputs.
void tp_commit_close_shared(struct tp_input_run *in);

// Opens shared outputs and the manifest before the first input. May block (FIFO).
void tp_input_order_begin(struct tp_run *run);
// Completes or abandons them.
void tp_input_order_end(struct tp_run *run);

#endif
