// The ingest strand of an input: detects its format, scans its wire bytes into extents and
// packs these into units. Every step goes as far as memory and input allow; a kick (memory)
// or a chunk (input) makes it go on.
#ifndef TP_PIPELINE_READ_INGEST_H
#define TP_PIPELINE_READ_INGEST_H

#include "pipeline/core/state.h"

// One step of the strand, while the input is live.
void tp_ingest_step(struct tp_input_run *in);

#endif
