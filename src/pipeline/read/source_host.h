// What the engine asks of the pipeline: free chunks for a file, a place for those that were read,
// and to be told of its end (io/source.h). Threads of the engine.
#ifndef TP_PIPELINE_READ_SOURCE_HOST_H
#define TP_PIPELINE_READ_SOURCE_HOST_H

#include "pipeline/core/run.h"

struct tp_source_host tp_source_host_of(struct tp_run *run);

// Ingest strand, before the engine gets in->reread: it begins to read there. False: errno says why.
bool tp_source_host_begin_at(struct tp_input_run *in, uint64_t offset) TP_MUST_USE;

#endif
