// Recognizes the events that are steps of the curve of mutator utilisation (stats/gc/step.h).
#ifndef TP_STATS_FOLD_GC_STEP_H
#define TP_STATS_FOLD_GC_STEP_H

#include "stats/gc/step.h"

// Sets *ret to the step of an event. False: the event is no step, and *ret is meaningless. The step
// is never EXEC_BEGIN or EXEC_END, which follow from the states of goroutines, nor END. Leaves
// `flag` of ASSIST_ACTIVE false; the caller sets it. Reads `t` for stop-the-world events and labels
// only. Keeps neither pointer, cannot fail; any thread may call it.
bool tp_gc_step_of(const struct tp_event *e, const struct tp_tables *t, struct tp_gc_step *ret);

#endif
