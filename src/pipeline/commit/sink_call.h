// Builds the arguments of sinks' hooks, except those of units and of folding (core/unit.c).
#ifndef TP_PIPELINE_COMMIT_SINK_CALL_H
#define TP_PIPELINE_COMMIT_SINK_CALL_H

#include "pipeline/core/run.h"

// Returns the arguments that all hooks of sink `k` have; the caller adds those of the input and
// `out`. Any thread.
struct tp_sink_call tp_sink_call_of(const struct tp_run *run, size_t k);

// Writes to an output file, and adds the bytes to *written_bytes; NULL: they are not counted. If
// `file` is NULL, each write fails with TP_E_USAGE. Borrows both pointers as long as it is used;
// needs no freeing.
struct tp_out_writer {
    struct tp_out out;
    struct tp_outfile *file;
    uint64_t *written_bytes;
};
struct tp_out_writer tp_out_writer_of(struct tp_outfile *file, uint64_t *written_bytes);

#endif
