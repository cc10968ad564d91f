// Adds sinks to a run before it is started, and parses their options: sinks of the registry or of
// the program by name, and sinks of the library itself. Called on the thread of the run's owner.
// After a failure the run is as it was before the call.
#ifndef TP_PIPELINE_RUN_RUN_SINK_H
#define TP_PIPELINE_RUN_RUN_SINK_H

#include "pipeline/core/run.h"

// Adds a sink that users cannot name and that has no options. Its config is the pointer `ctx`.
// Borrows `def` and `ctx` until the run is destroyed. TP_E_MEMORY, or the error of the sink's
// `check`.
int tp_run_add_inner_sink(struct tp_run *run, const struct tp_sink_def *def, void *ctx,
                          struct tp_error *err) TP_MUST_USE;
// Adds the sink that makes news, with the option "known", and the one that evaluates the checks of the run,
// if there are some, behind all others; an earlier start may have added them. TP_E_USAGE: too many sinks,
// or JUnit XML without checks; TP_E_MEMORY.
int tp_run_add_ending_sinks(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Checks the sinks together and sets the run's event model; call after all sinks are added.
// TP_E_USAGE: the sinks cannot share a run, or none takes events of the time window.
int tp_run_sinks_check(struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Frees all sinks, and those that the program registered. Call after all threads are gone.
void tp_run_sinks_fini(struct tp_run *run);

#endif
