// The file of the option "known": what earlier runs have found. Read before the inputs, and replaced after a
// run that came to its end.
#ifndef TP_PIPELINE_RUN_KNOWN_FILE_H
#define TP_PIPELINE_RUN_KNOWN_FILE_H

#include "pipeline/core/run.h"

// Takes the file out of the inputs if it was found below a folder. TP_E_USAGE: the option names no file.
int tp_known_file_plan(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Reads the file, if the option is given and there is one; an earlier start may have read it. TP_E_USAGE: it
// is another file, or damaged, or was written with another pattern of hosts; TP_E_KERNEL, TP_E_MEMORY.
int tp_known_file_read(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Opens the file for the next run, under its temporary name. A failure is that of the run.
void tp_known_file_begin(struct tp_run *run);
// Replaces the file, unless the run has failed or stops. Call when all other outputs are complete.
void tp_known_file_end(struct tp_run *run);
// Frees what was read.
void tp_known_file_fini(struct tp_run *run);

#endif
