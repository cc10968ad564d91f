// Traces of Go 1.5 and 1.6 whose sequence numbers are damaged, for who wants their events as the
// parser of that time gave them (legacy_events.h). It sorts all events by these numbers, unstably,
// so that where two are equal all others decide which comes first. Streams cannot tell that; if
// the numbers they give do not rise, all events are sorted as that parser does it, in memory.
#ifndef TP_MERGE_V1_RESORT_DAMAGED_H
#define TP_MERGE_V1_RESORT_DAMAGED_H

#include "merge/v1/convert.h"

// After tp_v1_plan: sets trace->sorted, if that is needed, and plans futile wake-ups anew.
// TP_E_LIMIT: more than max_bytes of events; TP_E_MEMORY; with is_strict TP_E_ORDER, if times
// fall.
int tp_v1_sort_if_needed(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

#endif
