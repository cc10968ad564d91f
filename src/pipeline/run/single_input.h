// A run over one input, as the interfaces of reader.h and listing.h have it.
#ifndef TP_PIPELINE_RUN_SINGLE_INPUT_H
#define TP_PIPELINE_RUN_SINGLE_INPUT_H

#include "pipeline/core/run.h"
#include "tracepipe/reader.h"

// Sets the options of the run (NULL: none) and its input, which must exist.
// TP_E_USAGE, TP_E_OPEN (with the path), TP_E_MEMORY.
int tp_single_input_set(struct tp_run *run, const char *path, const struct tp_option *options,
                        struct tp_error *err) TP_MUST_USE;

// The input of a started run; NULL: the run failed before the input was admitted.
struct tp_input_run *tp_single_input_of(const struct tp_run *run);

// Why the library does not read the input: TP_E_NOT_TRACE, TP_E_NEW_TRACE. 0: it does, or the
// format is not known.
int tp_single_input_refusal(const struct tp_input_run *in, struct tp_error *err);

#endif
