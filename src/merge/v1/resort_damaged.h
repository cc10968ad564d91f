// For traces of Go 1.5 and 1.6 with damaged sequence numbers: reproduces the order of that time's
// parser (legacy_events.h). That parser sorts all events by these numbers, unstably, so the order
// of two events with equal numbers depends on all other events. A merge of streams cannot reproduce
// that: if the numbers of the merged events do not rise, all events are sorted in memory with that
// parser's algorithm.
#ifndef TP_MERGE_V1_RESORT_DAMAGED_H
#define TP_MERGE_V1_RESORT_DAMAGED_H

#include "merge/v1/convert.h"

// If the sequence numbers do not rise from event to event, sorts all events by them into
// trace->sorted, and then finds the futile wake-ups again. Called once, after tp_v1_plan, on the
// thread that builds the trace; tp_v1_trace_fini frees the sorted events, also after a failure.
// TP_E_LIMIT: the events take more than trace->max_bytes; TP_E_MEMORY; TP_E_ORDER: with is_strict,
// an event is earlier than the one before it.
int tp_v1_sort_if_needed(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

#endif
