// What the hooks of sinks are called with outside of units (unit.c).
#ifndef TP_PIPELINE_COMMIT_SINK_CALL_H
#define TP_PIPELINE_COMMIT_SINK_CALL_H

#include "pipeline/core/run.h"

// The common arguments of sink `k` for hooks other than `work`; the caller adds `notes`.
struct tp_sink_call tp_sink_call_of(const struct tp_run *run, size_t k);

// A writer over an output file; `written_bytes` (may be NULL) counts what went through.
struct tp_out_writer {
    struct tp_out out;
    struct tp_outfile *file;
    uint64_t *written_bytes;
};
struct tp_out_writer tp_out_writer_of(struct tp_outfile *file, uint64_t *written_bytes);

#endif
