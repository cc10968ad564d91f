// The prescan of a trace of Go 1.7 to 1.21: finds, in any order of the streams, when syscalls that
// blocked ended, and the messages of logs. For nearly all traces nothing else has to be known
// before events are handed out, so only one walk puts them in order. The prescan reads the events
// that the scan has marked, and all events behind the last mark for which there was room.
#ifndef TP_MERGE_V1_PRESCAN_H
#define TP_MERGE_V1_PRESCAN_H

#include "merge/v1/trace.h"

// After the tables are finished: sets trace->is_prescanned if the prescan suffices, and then its
// exits and messages. It does not where the result depends on the order: two ends of syscalls at
// one time keep the order in which they were told; CPU samples may stand between a syscall and its
// block; a damaged frame may name a message. TP_E_LIMIT, TP_E_MEMORY, TP_E_WRITE, TP_E_KERNEL.
int tp_v1_prescan(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

#endif
