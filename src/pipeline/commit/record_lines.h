// Keeps the record of --resume while a run goes on: what is said before outputs get their names, and
// what after. docs/internals/record.md has the order of writes. For runs that have a record, unless a
// function says otherwise.
#ifndef TP_PIPELINE_COMMIT_RECORD_LINES_H
#define TP_PIPELINE_COMMIT_RECORD_LINES_H

#include "io/out.h"
#include "pipeline/core/run.h"

// Notes that the input's own outputs are on the disk and get their names next. Any thread.
int tp_resume_intend(const struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Notes that the input's own outputs have their names. Any thread.
int tp_resume_finish(const struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Call before the sums get the input. If a later run is to try it again, writes the states, and none
// after it: they are never without an input that they had.
int tp_resume_before_sums(const struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Notes that the sums have the input; writes states now and then. Commit strand of the input that has
// the turn.
int tp_resume_add(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Writes the states of all inputs. After the last input.
int tp_resume_save(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// An output of all inputs. Borrows the texts; the call that takes it frees the file.
struct tp_shared_output {
    const char *spec; // of the sink; NULL: it is the manifest
    const char *path;
    struct tp_outfile *file;
};
// Completes an output of all inputs, as tp_out_commit does, and notes it in the record, if there is one.
int tp_resume_commit_shared(struct tp_run *run, const struct tp_shared_output *output,
                            struct tp_error *err) TP_MUST_USE;
// Makes all lines durable. After everything else.
int tp_resume_end(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

#endif
