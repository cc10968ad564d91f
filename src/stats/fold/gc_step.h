// Finds the steps of the curve of mutator utilisation (stats/gc/step.h) among events.
#ifndef TP_STATS_FOLD_GC_STEP_H
#define TP_STATS_FOLD_GC_STEP_H

#include "stats/gc/step.h"

// Sets *ret to the step of an event, which is never END; false: the event has no step, and *ret is
// meaningless. Keeps no state; any thread may call it. `flag` of ASSIST_ACTIVE is false; the caller
// sets it. Only transitions, stops and labels need the tables.
bool tp_gc_step_of(const struct tp_event *e, const struct tp_tables *t, struct tp_gc_step *ret);

#endif
