// Decides where each sink writes, and checks for clashes and existing files, before
// anything is read.
#ifndef TP_PIPELINE_COMMIT_OUTPUTS_H
#define TP_PIPELINE_COMMIT_OUTPUTS_H

#include "io/out.h"
#include "io/temp.h"
#include "pipeline/core/run.h"

// What is written in the order of inputs, by the strand of the one that has the turn.
struct tp_run_outputs {
    struct tp_outfile *manifest;
    bool manifest_begun;           // it has an entry
    struct tp_sweep sweep;         // folders of outputs that were swept
    uint64_t stream_bytes;         // of all inputs so far
    struct tp_run_figures figures; // filled at the end; rule_counts with each turn
};

// Settles is_shared and is_folder of every sink, and checks everything that can
// be checked. TP_E_USAGE: two sinks for stdout, or one and the manifest; two outputs that are one
// file, or one that is an input, a list of names or the program of --binary; binary to a
// terminal, a folder needed. TP_E_EXISTS: an output exists and force is off.
int tp_outputs_plan(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// The path of sink `k`'s own output for an input; the caller owns it. NULL: out
// of memory.
char *tp_output_path(const struct tp_run *run, size_t k, const struct tp_input *input);

// Length of the part of a sink's output paths that names the folder given for them; 0: none.
size_t tp_output_folder_bytes(const struct tp_run_sink *s);

// Opens an output of the run (with `root_bytes`: by tp_out_open_below), and removes files that
// killed runs left beside it.
int tp_output_open(struct tp_run *run, const char *path, size_t root_bytes,
                   struct tp_outfile **ret_out, struct tp_error *err) TP_MUST_USE;

#endif
