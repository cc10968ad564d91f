// Decides where each sink writes, and checks for clashes and existing files, before any input is
// read.
#ifndef TP_PIPELINE_COMMIT_OUTPUTS_H
#define TP_PIPELINE_COMMIT_OUTPUTS_H

#include "io/out.h"
#include "io/temp.h"
#include "pipeline/commit/repeats.h"
#include "pipeline/commit/snapshots.h"
#include "pipeline/commit/windows.h"
#include "pipeline/core/run.h"

// Outputs and figures of all inputs; part of the run and freed with it. Used in input order, by the
// commit strand of the input that has the turn, and by the admission strand before the first and
// after the last input.
struct tp_run_outputs {
    struct tp_outfile *manifest;   // NULL: none, or it is complete
    bool manifest_begun;           // it has an entry
    struct tp_sweep sweep;         // folders from which files of killed runs were removed
    uint64_t stream_bytes;         // of all inputs so far
    uint64_t skipped_count;        // inputs that were not read because their outputs exist
    uint64_t known_count;          // inputs so far that are traces or states, damaged ones too
    uint64_t excluded_count;       // of these, for their clocks excluded by a sink from its totals
    struct tp_windows windows;     // of all inputs so far
    struct tp_repeats repeats;     // of all inputs so far
    struct tp_snapshots snapshots; // of all inputs so far; owned
    struct tp_run_figures figures; // rule_counts grow with each turn; the rest is set at the end
};

// Sets is_shared, is_folder and has_colour of every sink, and checks all outputs. Called on the
// thread that starts the run. TP_E_USAGE: stdout is asked for twice, by sinks or the manifest; two
// outputs are one file, or an output is an input, a list of names or the program of --binary;
// binary data would go to a terminal; several inputs need a folder. TP_E_EXISTS: an output exists
// and force is off, or it is a trace and the sink replaces none. TP_E_MEMORY.
int tp_outputs_plan(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// Returns the path of sink `k`'s own output for an input; the caller frees it with tp_free. NULL:
// out of memory.
char *tp_output_path(const struct tp_run *run, size_t k, const struct tp_input *input);

// Returns the length of the part of a sink's output paths that names the folder of -o; 0: the
// outputs go to no folder.
size_t tp_output_folder_bytes(const struct tp_run_sink *s);

// Opens an output of the run with tp_out_open, which says what `root_bytes` means, and removes
// files that killed runs left in its folder. With 0, an output below the folder of some sink's -o
// has that folder as its root. Copies `path`. Fails as tp_out_open does. The caller gives *ret_out
// to tp_out_commit or tp_out_abandon.
int tp_output_open(struct tp_run *run, const char *path, size_t root_bytes,
                   struct tp_outfile **ret_out, struct tp_error *err) TP_MUST_USE;

#endif
