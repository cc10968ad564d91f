// Reports a finished input: its messages, its share of the exit status, its manifest entry. Commit
// strand of the input that has the turn, unless a function says otherwise.
#ifndef TP_PIPELINE_COMMIT_REPORT_H
#define TP_PIPELINE_COMMIT_REPORT_H

#include "pipeline/core/run.h"
#include "sink/print/emit.h"

// The status of a finished input; any but COMPLETE makes the run exit with 1, the last three with 3.
enum tp_input_status {
    TP_INPUT_COMPLETE,
    TP_INPUT_DAMAGED, // read to its end; what could be salvaged was kept
    TP_INPUT_REFUSED, // not a trace, or of a release or kind that is not read
    TP_INPUT_FAILED,  // could not be opened, read, decompressed or parsed to its end
    TP_INPUT_OVER_MEMORY, // needs more than --max-memory leaves for it
    TP_INPUT_TIMED_OUT, // took longer than --timeout
    TP_INPUT_UNWRITTEN, // an output of it could not be written
};

// Their names in manifest and record.
extern const char *const tp_report_words[];

// Returns the status of an input whose sinks are finished.
enum tp_input_status tp_report_status(const struct tp_input_run *in);
// Sends all messages about the input.
void tp_report_messages(struct tp_input_run *in);

// The manifest is one JSON document, written entry by entry: begin opens it, add appends an input,
// end adds the shared outputs; the caller then commits the file. begin and end are called by the admission strand.
// All fail with the error of the output; tp_input_order_end then abandons the manifest.
int tp_manifest_begin(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
int tp_manifest_add(struct tp_run *run, const struct tp_input_run *in, struct tp_error *err)
    TP_MUST_USE;
int tp_manifest_end(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Prints the fields of an input whose own outputs are closed, which the manifest and a record have.
// Any thread.
void tp_manifest_put_input(struct tp_emit *e, const struct tp_input_run *in);

#endif
