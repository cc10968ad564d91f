// How sinks get into a run, before it is started: by name from the registry or from
// those the program registered, with their options parsed.
#ifndef TP_PIPELINE_RUN_SINK_H
#define TP_PIPELINE_RUN_SINK_H

#include "pipeline/state.h"

// A sink that has no name for users, and no options. `ctx` is its config.
int tp_run_add_inner_sink(struct tp_run *run, const struct tp_sink_def *def, void *ctx,
                          struct tp_error *err) TP_MUST_USE;
// Once all are added: whether they go together. TP_E_USAGE.
int tp_run_sinks_check(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// All of them, with what was registered. After the threads are gone.
void tp_run_sinks_fini(struct tp_run *run);

#endif
