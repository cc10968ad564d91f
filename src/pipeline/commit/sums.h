// Keeps the sums of sinks with one output for all inputs as states beside the record of --resume, so
// that a resumed run goes on from them: RECORD.K-N.state is the state of sink K, and N grows each time
// the states are written. The record names the last N that is complete.
#ifndef TP_PIPELINE_COMMIT_SUMS_H
#define TP_PIPELINE_COMMIT_SUMS_H

#include "pipeline/core/run.h"

// Returns whether all states that the record names are there, with the bytes that it names.
bool tp_sums_are_there(const struct tp_run *run);
struct tp_resume;

// Returns whether sink `k` has a state beside the record.
bool tp_has_state(const struct tp_run *run, size_t k);
// Returns the path of the state of sink `k`, whether there is one or not, of a run with a record: the
// last one that was written, or the next; the caller frees it with tp_free. NULL: out of memory.
char *tp_sums_path(const struct tp_run *run, size_t k, bool is_next);
// Returns whether `path` leads to the record or a state beside it.
bool tp_sums_is_own_file(const struct tp_resume *r, const char *path);
// Removes temporary files of killed runs in the folder of the record; if it has had sums, states that it
// does not name, too. With `goes_on` puts the states before the inputs; else removes them.
int tp_sums_start(struct tp_run *run, bool has_had_sums, bool goes_on, struct tp_error *err) TP_MUST_USE;
// Writes the states, then the lines of the inputs in them. All of it is durable then, or nothing.
int tp_sums_save(struct tp_run *run, struct tp_error *err) TP_MUST_USE;

#endif
