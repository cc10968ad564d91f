// Sets up a run over one input, for the interfaces reader.h and listing.h. The thread of the run's
// owner.
#ifndef TP_PIPELINE_RUN_SINGLE_INPUT_H
#define TP_PIPELINE_RUN_SINGLE_INPUT_H

#include "pipeline/core/run.h"
#include "tracepipe/reader.h"

// Sets the options of the run (NULL: none) and its input, which must exist. Fails with TP_E_USAGE,
// TP_E_MEMORY, or TP_E_OPEN with an err->path borrowed from `path`.
int tp_single_input_set(struct tp_run *run, const char *path, const struct tp_option *options,
                        struct tp_error *err) TP_MUST_USE;

// Returns the input of a started run. NULL: it is not admitted yet, or the run failed before that.
struct tp_input_run *tp_single_input_of(const struct tp_run *run);

// Fails with the reason why the library does not read the input: TP_E_NOT_TRACE or TP_E_NEW_TRACE.
// 0: the library reads it, or the format is not known.
int tp_single_input_refusal(const struct tp_input_run *in, struct tp_error *err);

#endif
