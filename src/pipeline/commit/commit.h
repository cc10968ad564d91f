// The commit strand of an input: hands done units to the sinks in stream order, assembles
// generations, completes the input's own outputs. It runs on whichever worker finished the
// missing piece.
#ifndef TP_PIPELINE_COMMIT_COMMIT_H
#define TP_PIPELINE_COMMIT_COMMIT_H

#include "io/out.h"
#include "pipeline/core/run.h"

// The state of one sink for one input. Commit strand.
struct tp_input_sink {
    void *state;
    struct tp_outfile *file;   // own output; NULL: shared, or none
    char *path;                // of the own output; owned; NULL if shared
    bool opened;
    bool has_output;           // the sink's output for this input is kept
    bool failed;               // `error` says how
    uint64_t written_bytes;
    struct tp_account_share share; // of `state` in the run's `grown`
    struct tp_sink_notes notes;
    struct tp_error error;
};

// The commit strand's part of an input.
struct tp_commit {
    struct tp_input_sink sinks[TP_SINKS_MAX];
    struct tp_generation generation; // that segments are being committed of
    bool sinks_opened;
    bool closed;               // own outputs are complete; only the turn is left
};

// Names the input's own outputs. When the input is begun, before any unit. TP_E_MEMORY.
int tp_commit_init(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Frees what the sinks kept of the input. After its turn.
void tp_commit_fini(struct tp_input_run *in);

// One step of the strand, while the input is live. True, once: all sinks are finished with the
// input, whose turn it is.
bool tp_commit_step(struct tp_input_run *in) TP_MUST_USE;

#endif
