// The commit strand of an input: hands done units to the sinks in stream order, puts generations
// together from their segments, and completes the input's own outputs. It runs on the worker that
// finished the unit for which it waited.
#ifndef TP_PIPELINE_COMMIT_COMMIT_H
#define TP_PIPELINE_COMMIT_COMMIT_H

#include "io/out.h"
#include "pipeline/commit/sink_call.h"
#include "pipeline/core/run.h"

// The state of one sink for one input. Used by the commit strand only; tp_commit_fini frees its
// members.
struct tp_input_sink {
    void *state;
    struct tp_outfile *file;   // own output; NULL: shared, or none
    struct tp_out_writer writer; // to `file` or the shared output, during the call of a hook
    char *path;                // of the own output; owned; NULL if shared
    bool opened;
    bool has_output;           // the sink's output for this input is kept
    bool failed;               // this sink has no result for the input, because of `error`
    uint64_t written_bytes;
    char digest[TP_DIGEST_TEXT_BYTES]; // of the own output, once it is synced; "": not wanted
    struct tp_account_share share; // of `state` in the run's `grown`
    struct tp_sink_notes notes;
    struct tp_error error;
};

// The commit strand's part of an input.
struct tp_commit {
    struct tp_task completion; // completes the own outputs, on a thread that may wait for the disk
    struct tp_input_run *in;   // during the completion
    struct tp_input_sink sinks[TP_SINKS_MAX];
    struct tp_generation generation; // the one whose segments are being committed
    bool sinks_opened;
    bool closed;               // sinks have ended their own outputs
    _Atomic bool is_completing; // the completion has not ended
};

// Chooses the names of the input's own outputs. Ingest strand, before the input's first unit.
// TP_E_MEMORY; tp_commit_fini is due in any case.
int tp_commit_init(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Frees the sinks' states and names of the input. Commit strand, after the input's turn.
void tp_commit_fini(struct tp_input_run *in);

// Takes one step of the strand, while the input is live. Returns true once: when the input has its
// turn and all sinks are finished with it. Waits only for output. An error that is the input's goes
// to the sink's `error`; any other fails the run.
bool tp_commit_step(struct tp_input_run *in) TP_MUST_USE;

#endif
