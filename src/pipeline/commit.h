// The commit strand of an input: hands done units to the sinks in stream order, assembles
// generations, completes the input's own outputs. It runs on whichever worker finished the
// missing piece. Its last step is the input's turn (input_order.h).
#ifndef TP_PIPELINE_COMMIT_H
#define TP_PIPELINE_COMMIT_H

#include "pipeline/state.h"

// The task of tp_input_run.commit_task.
void tp_commit_run(struct tp_task *task);

// The common arguments of sink `k` for hooks other than `work`; the caller adds `notes`.
struct tp_sink_call tp_sink_call_of(const struct tp_run *run, size_t k);

// A writer over an output file; `written` (may be NULL) counts what went through.
struct tp_out_writer {
    struct tp_out out;
    struct tp_outfile *file;
    uint64_t *written_bytes;
};
struct tp_out_writer tp_out_writer_of(struct tp_outfile *file, uint64_t *written_bytes);

// Books the result of a hook of sink `k`: 0 changes nothing, an error of the input
// spoils this output, any other error fails the run.
void tp_sink_result(struct tp_input_run *in, size_t k, int rc, const struct tp_error *err);

#endif
