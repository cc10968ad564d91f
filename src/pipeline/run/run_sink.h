// How sinks get into a run, before it is started: by name from the registry or from
// those the program registered, with their options parsed.
#ifndef TP_PIPELINE_RUN_RUN_SINK_H
#define TP_PIPELINE_RUN_RUN_SINK_H

#include "pipeline/core/run.h"

// Adds a sink that users cannot name and that has no options. `ctx` is its config.
int tp_run_add_inner_sink(struct tp_run *run, const struct tp_sink_def *def, void *ctx,
                          struct tp_error *err) TP_MUST_USE;
// Call after all are added. TP_E_USAGE: they cannot share a run.
int tp_run_sinks_check(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Frees all sinks and those that the program registered. After the threads are gone.
void tp_run_sinks_fini(struct tp_run *run);

#endif
