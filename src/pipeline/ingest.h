// The ingest strand of an input: detects its format, scans its wire bytes into extents and
// packs these into units. Every step goes as far as memory and input allow; a kick (memory)
// or a chunk (input) makes it go on.
#ifndef TP_PIPELINE_INGEST_H
#define TP_PIPELINE_INGEST_H

#include "pipeline/state.h"

// The task of tp_input_run.ingest_task.
void tp_ingest_run(struct tp_task *task);

#endif
