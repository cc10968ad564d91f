// Names and opens the outputs of sinks, and keeps what the inputs of a run share.
#ifndef TP_PIPELINE_COMMIT_OUTPUTS_H
#define TP_PIPELINE_COMMIT_OUTPUTS_H

#include "base/list.h"
#include "io/out.h"
#include "io/temp.h"
#include "pipeline/commit/repeats.h"
#include "pipeline/commit/snapshots.h"
#include "pipeline/commit/windows.h"
#include "pipeline/core/run.h"

struct tp_resume;

// The path of an output, or of the record. Owns both texts.
struct tp_output_name {
    char *given;
    char *plain; // the same for all paths that lead to the same name in the same folder
    bool replaces_traces;
    bool is_appended; // the record, a state beside it, or the findings of earlier runs: the file may exist
    bool is_recorded; // the record has it as the name of this output
    uint32_t input;   // index of its input, or TP_OUTPUT_OF_ALL
    size_t sink;      // number of its sink; TP_SINKS_MAX: it is the manifest's, or the record
};
#define TP_OUTPUT_OF_ALL UINT32_MAX

struct tp_output_names {
    TP_LIST(struct tp_output_name);
};

// Outputs and figures of all inputs; part of the run and freed with it. Used in input order, by the
// commit strand of the input that has the turn, and by the admission strand before the first and
// after the last input.
struct tp_run_outputs {
    struct tp_output_names names;  // from tp_outputs_plan to tp_outputs_check
    struct tp_outfile *manifest;   // NULL: none, or it is complete
    bool manifest_begun;           // it has an entry
    struct tp_sweep sweep;         // folders from which files of killed runs were removed
    uint64_t stream_bytes;         // of all inputs so far
    uint64_t skipped_count;        // inputs that are not read because they are done
    struct tp_resume *resume;      // owned; NULL: the run has no record
    uint64_t known_count;          // inputs so far that are traces or states, damaged ones too
    uint64_t excluded_count;       // of these, for their clocks excluded by a sink from its totals
    struct tp_windows windows;     // of all inputs so far
    struct tp_repeats repeats;     // of all inputs so far
    struct tp_snapshots snapshots; // of all inputs so far; owned
    struct tp_run_figures figures; // rule_counts grow with each turn; the rest is set at the end
};

// Returns the path of sink `k`'s own output for an input; the caller frees it with tp_free. NULL:
// out of memory.
char *tp_output_path(const struct tp_run *run, size_t k, const struct tp_input *input);

// Returns the length of the part of a sink's output paths that names the folder of -o; 0: the
// outputs go to no folder.
size_t tp_output_folder_bytes(const struct tp_run_sink *s);

// Opens an output of the run with tp_out_open, which says what `root_bytes` means, and removes
// files that killed runs left in its folder. With 0, an output below the folder of some sink's -o
// has that folder as its root. `is_own`: a file that exists is an earlier output of this kind, which
// this one replaces. Copies `path`. Fails as tp_out_open does. The caller gives *ret_out
// to tp_out_commit or tp_out_abandon.
int tp_output_open(struct tp_run *run, const char *path, size_t root_bytes, bool is_own,
                   struct tp_outfile **ret_out, struct tp_error *err) TP_MUST_USE;

#endif
