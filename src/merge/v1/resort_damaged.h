// Orders traces of Go 1.5 and 1.6 whose sequence numbers are damaged as the parser of that time did
// (legacy_events.h). That parser sorts all events by these numbers, unstably, so the order of two
// equal ones depends on all others. A merge of streams cannot reproduce that; if the numbers it
// gives do not rise, all events are sorted in memory with that parser's algorithm.
#ifndef TP_MERGE_V1_RESORT_DAMAGED_H
#define TP_MERGE_V1_RESORT_DAMAGED_H

#include "merge/v1/convert.h"

// After tp_v1_plan: sets trace->sorted if needed, and then finds the futile wake-ups anew.
// TP_E_LIMIT: more than max_bytes of events; TP_E_MEMORY; with is_strict TP_E_ORDER, if times
// fall.
int tp_v1_sort_if_needed(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

#endif
