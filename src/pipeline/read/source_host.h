// What the engine asks of the pipeline: free chunks for a file, a place for those that were read,
// and to be told of its end (io/source.h). Threads of the engine.
#ifndef TP_PIPELINE_READ_SOURCE_HOST_H
#define TP_PIPELINE_READ_SOURCE_HOST_H

#include "pipeline/core/state.h"

struct tp_source_host tp_source_host_of(struct tp_run *run);

#endif
