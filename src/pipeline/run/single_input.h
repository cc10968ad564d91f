// Sets up a run over one input, for the interfaces reader.h and listing.h. Called on the thread of
// the run's owner. Owns nothing.
#ifndef TP_PIPELINE_RUN_SINGLE_INPUT_H
#define TP_PIPELINE_RUN_SINGLE_INPUT_H

#include "pipeline/core/run.h"
#include "tracepipe/reader.h"

// Sets the options of the run (NULL: none) and its input, which must exist. Copies `path` and the
// options. Fails with TP_E_USAGE, TP_E_MEMORY, or TP_E_OPEN with an err->path borrowed from `path`;
// options set before the failure stay set.
int tp_single_input_set(struct tp_run *run, const char *path, const struct tp_option *options,
                        struct tp_error *err) TP_MUST_USE;

// Starts the run. `options` are those that tp_single_input_set took. Fails as tp_run_start does, but
// an err->path that names an option's file is borrowed from `options`, so it outlives the run.
int tp_single_input_start(struct tp_run *run, const struct tp_option *options,
                          struct tp_error *err) TP_MUST_USE;

// Returns the input of a started run. NULL: it is not admitted yet, or the run failed before that.
struct tp_input_run *tp_single_input_of(const struct tp_run *run);

// Fails with the reason why an ended run has no complete result: the error of the run, of the input
// or of its sink, or the format, which the library does not read (TP_E_NOT_TRACE, TP_E_NEW_TRACE).
// 0: nothing failed.
int tp_single_input_reason(const struct tp_run *run, struct tp_error *err);

#endif
