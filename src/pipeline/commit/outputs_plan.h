// Decides where each sink writes, checks for clashes and existing files, and takes inputs that are done
// out of the run, before any input is read.
#ifndef TP_PIPELINE_COMMIT_OUTPUTS_PLAN_H
#define TP_PIPELINE_COMMIT_OUTPUTS_PLAN_H

#include "pipeline/core/run.h"

// Sets is_shared, is_folder and has_colour of every sink, and checks all outputs. Called on the
// thread that starts the run. TP_E_USAGE: stdout is asked for twice, by sinks or the manifest; two
// outputs are one file, or an output is an input, a list of names or the program of --binary;
// binary data would go to a terminal; several inputs need a folder. TP_E_EXISTS: an output exists
// and force is off, or it is a trace and the sink replaces none. TP_E_MEMORY.
int tp_outputs_plan(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

#endif
