// Reports a finished input: messages, its share of the exit status, its entry in the manifest.
#ifndef TP_PIPELINE_COMMIT_REPORT_H
#define TP_PIPELINE_COMMIT_REPORT_H

#include "pipeline/core/run.h"

enum tp_input_status {
    TP_INPUT_COMPLETE,
    TP_INPUT_DAMAGED, // salvaged
    TP_INPUT_REFUSED, // not a trace, or of a release that is not read
    TP_INPUT_FAILED,  // could not be opened, read, decompressed or parsed to its end
    TP_INPUT_OVER_MEMORY, // takes more than --max-memory leaves for it
};

enum tp_input_status tp_report_status(const struct tp_input_run *in);
void tp_report_messages(struct tp_input_run *in);

// The manifest is one JSON document, written entry by entry.
int tp_manifest_begin(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
int tp_manifest_add(struct tp_run *run, const struct tp_input_run *in, struct tp_error *err)
    TP_MUST_USE;
int tp_manifest_end(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

#endif
