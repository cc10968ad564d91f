// Admits inputs, in list order, as long as there are fewer than active_max
// between admission and turn. A strand. The first step opens the shared outputs;
// the last one, when every input had its turn, ends the run.
#ifndef TP_PIPELINE_ADMISSION_H
#define TP_PIPELINE_ADMISSION_H

#include "pipeline/state.h"

void tp_admission_post(struct tp_run *run);
// The task of tp_run.admission_task.
void tp_admission_run(struct tp_task *task);
// Ingest strand of a slot that is not live: takes over the input that was admitted
// to it, if there is one.
void tp_admission_begin_input(struct tp_input_run *in);
// The callbacks through which the engine takes and delivers chunks.
struct tp_source_host tp_admission_host(struct tp_run *run);
// Frees the inputs' slots after all threads are gone.
void tp_admission_fini(struct tp_run *run);

#endif
