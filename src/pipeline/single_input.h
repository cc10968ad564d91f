// A run over one input, as the interfaces of reader.h and listing.h have it.
#ifndef TP_PIPELINE_SINGLE_INPUT_H
#define TP_PIPELINE_SINGLE_INPUT_H

#include "pipeline/state.h"
#include "tracepipe/reader.h"

// Describes the run: its options (NULL: none) and its input, which must be there.
// TP_E_USAGE, TP_E_OPEN (with the path), TP_E_MEMORY.
int tp_single_input_set(struct tp_run *run, const char *path, const struct tp_option *options,
                        struct tp_error *err) TP_MUST_USE;

// Of a run that was started: NULL if it failed before the input was let in.
struct tp_input_run *tp_single_input_of(const struct tp_run *run);

// Why such an input is not for this library: TP_E_NOT_TRACE, TP_E_NEW_TRACE. 0: it is, or it is
// not known what it is.
int tp_single_input_refusal(const struct tp_input_run *in, struct tp_error *err);

#endif
