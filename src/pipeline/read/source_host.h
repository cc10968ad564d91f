// Implements the hooks that the engine calls (io/source.h): they give the engine free chunks for a
// file, take the chunks that were read, and take note of the end of the file. Called on threads of
// the engine; never block.
#ifndef TP_PIPELINE_READ_SOURCE_HOST_H
#define TP_PIPELINE_READ_SOURCE_HOST_H

#include "pipeline/core/run.h"

// Returns the hooks, with the run as their context. The run must outlive the engine.
struct tp_source_host tp_source_host_of(struct tp_run *run);

// Lets the engine begin to read in->reread at `offset`. Ingest strand, before the engine gets the
// file. False: errno says why.
bool tp_source_host_begin_at(struct tp_input_run *in, uint64_t offset) TP_MUST_USE;

#endif
