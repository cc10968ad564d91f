// Ends inputs that are pipes where they are, when the program's user asks for it: what has come is
// worked on, and the input counts as damaged, because it ends early.
#ifndef TP_PIPELINE_READ_PIPE_END_H
#define TP_PIPELINE_READ_PIPE_END_H

#include "pipeline/core/run.h"

// Returns whether an input of the run that has not had its turn is a pipe, a socket or a terminal;
// if so, all of these end. Any thread, between start and destruction of the run.
bool tp_pipes_end(struct tp_run *run);
// Ends the input if tp_pipes_end was called and it is a pipe that may have more bytes. Called by the
// ingest strand, which a call of tp_pipes_end wakes.
void tp_pipe_end_step(struct tp_input_run *in);

#endif
