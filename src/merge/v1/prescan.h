// The prescan of a trace of Go 1.7 to 1.21: finds the times at which blocked syscalls ended, and
// the messages of logs, without putting the streams in order. For nearly all traces nothing else
// has to be known before events are handed out, so only one walk puts them in order. The prescan
// reads only the events that the scan has marked, but all events at or after unmarked_offset of the
// trace's lists. Only the thread that builds the trace calls it.
#ifndef TP_MERGE_V1_PRESCAN_H
#define TP_MERGE_V1_PRESCAN_H

#include "merge/v1/trace.h"

// Does the prescan, after the tables are finished. If it suffices, sets trace->is_prescanned,
// trace->exits (ends of syscalls) and trace->tables->messages (of logs). It does not suffice if the
// result depends on the order of events: if two syscalls ended at the same time (their ends keep
// the order of the events that record them), if there are CPU samples (one may come between a
// syscall and the event that shows that the syscall blocked), or if a stack frame is damaged so
// that the id of one of its strings is that of a message. TP_E_LIMIT, TP_E_MEMORY, TP_E_WRITE,
// TP_E_KERNEL.
int tp_v1_prescan(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

#endif
