// Decides where each sink writes, checks for clashes and existing files, and takes inputs that are done
// out of the run, before any input is read. On the thread that starts the run, one function after the
// other.
#ifndef TP_PIPELINE_COMMIT_OUTPUTS_PLAN_H
#define TP_PIPELINE_COMMIT_OUTPUTS_PLAN_H

#include "pipeline/core/run.h"

struct tp_run_outputs;

// Sets is_shared, is_folder and has_colour of every sink, checks the names of all outputs, opens the
// record and takes inputs that are done out of the run; parses no file but the record. TP_E_USAGE:
// stdout is asked for twice, by sinks or the manifest; two outputs are one file, or an output is an
// input, a list of names or the program of --binary; binary data would go to a terminal; several inputs
// need a folder. TP_E_MEMORY, and as tp_resume_begin.
int tp_outputs_plan(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// Creates the folders of -o that are missing, but none above them. Fails with TP_E_WRITE, but not for
// a reason that the first output in the folder will meet again.
int tp_outputs_make_folders(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// Looks into the outputs that exist. TP_E_EXISTS: an output exists and force is off, or it is a trace
// and the sink replaces none. TP_E_MEMORY. The names of the plan are then forgotten.
int tp_outputs_check(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// Frees the names of the plan.
void tp_outputs_forget_names(struct tp_run_outputs *outputs);

#endif
