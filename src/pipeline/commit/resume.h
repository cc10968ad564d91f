// Resumes runs: decides by the record of --resume which inputs are done. record_lines.h keeps the
// record while a run goes on.
#ifndef TP_PIPELINE_COMMIT_RESUME_H
#define TP_PIPELINE_COMMIT_RESUME_H

#include <time.h>

#include "pipeline/core/run.h"
#include "pipeline/record/known.h"
#include "pipeline/record/record.h"
#include "sink/print/fields.h"

// Facts about an input from before it is read, by its place in the list.
struct tp_resume_input {
    bool has_file;            // the following two are known
    bool is_other;            // there is something that is not a regular file
    bool is_recorded;         // its outputs have names, with the number `copy`; only with --on-clash rename
    uint32_t copy;
    uint64_t size_bytes;
    struct timespec mtime;
    uint64_t attempt;         // how often it was begun, with this run
    unsigned replaced;        // set of the sinks whose outputs exist and are the record's
};

// An input that is done: where the record has what the manifest says of it.
struct tp_resume_done {
    uint32_t place; // in the list
    uint64_t at;
    size_t len_bytes;
    char *path; // owned; NULL: the run has no sums
};
// The number of the first of them among the inputs that have generations in common (snapshots.h).
#define TP_RESUME_FIRST_DONE (1u << 31)

// Part of a run that has a record. Between start and end the commit strands use `record` and read
// `inputs`; the rest belongs to the input that has the turn.
struct tp_resume {
    struct tp_record record;
    struct tp_known known;   // until the start
    uint64_t options;        // digest of the options on which outputs depend
    struct tp_resume_input *inputs;
    char *failed_path;       // with --fail-fast, of an input that is done and not complete; NULL: none is
    unsigned replaced;       // as in an input, of sinks with one output for all inputs
    TP_LIST(struct tp_resume_done);
    uint32_t printed_count;  // of these, in the manifest
    // Sums of sinks with one output for all inputs.
    bool has_sums;
    uint32_t sums;           // their number
    uint64_t state_number;   // of the states that the record names
    uint64_t summed_count;   // inputs in the states
    uint32_t group_count;    // inputs in the sums and not in states
    bool is_closed;          // an input in the sums is to be tried again: no states are written any more
    uint64_t saved_ns, save_ns; // when the states were written, and how long that took
};

// Opens the record of the run, if it has one. Call when the sinks have their shapes and the list has
// all inputs. TP_E_USAGE: a sink has sums that no state holds, an input is standard input or is named
// twice, or the file is no record. Else as tp_record_open.
int tp_resume_begin(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Sets *ret_is_done to whether the record has the input as done. TP_E_MEMORY, TP_E_WRITE.
int tp_resume_judge(struct tp_run *run, const struct tp_input *input, bool *ret_is_done,
                    struct tp_error *err) TP_MUST_USE;
// Returns whether the file `path` is an output that the record has of this input (NULL: of all
// inputs), so that sink `k`, or with TP_SINKS_MAX the manifest, may replace it.
bool tp_resume_owns(struct tp_run *run, const struct tp_input *input, size_t k, const char *path);
// Returns what tp_resume_owns has returned of sink `k`'s output. `r` is NULL: the run has no record.
TP_INLINE bool tp_resume_replaces(const struct tp_resume *r, const struct tp_input *input, size_t k)
{
    return r != NULL && ((input != NULL ? r->inputs[input->place].replaced : r->replaced) & 1u << k) != 0;
}
// Returns whether the file `path` is an output of another input, by the record.
bool tp_resume_is_taken(const struct tp_run *run, const struct tp_input *input, const char *path);
// Notes that the run begins, and puts the states before its inputs.
int tp_resume_start(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Closes the record. NULL is fine.
void tp_resume_fini(struct tp_resume *r);

// Returns the path of an input of the run, or of one that is done, by its number among those that have
// generations in common.
const char *tp_resume_path_of(const struct tp_run *run, size_t number);

// The digest of the options as text: 16 hex digits.
struct tp_options_text {
    char text[17];
};
struct tp_options_text tp_options_text(const struct tp_resume *r);

// Begins a line of the record that has its kind, as tp_emit_init does. tp_fields_close and tp_emit_end
// are due.
TP_INLINE void tp_record_line_begin(struct tp_emit *e, struct tp_out *out, enum tp_record_kind kind,
                                    struct tp_error *err)
{
    tp_emit_init(e, out, err);
    e->has_spaces = true;
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "kind", tp_record_words[kind]);
}

// Returns whether sink `k` has sums, and an output or checks that are made of them.
TP_INLINE bool tp_sink_has_sums(const struct tp_run *run, size_t k)
{
    const struct tp_sink_plan *plan = &run->sinks[k].plan;
    return run->sinks[k].is_shared && (plan->output != TP_OUTPUT_NONE || plan->run.save != NULL);
}

#endif
