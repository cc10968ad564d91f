// What the streams of a trace of Go 1.7 to 1.21 tell without their order: when syscalls that
// blocked ended, and messages of logs. Of nearly all traces no more has to be known before
// events are handed out, so that the walk which does so is the only one in order. It looks at the
// events that the scan has marked, and at all behind the last mark there was room for.
#ifndef TP_MERGE_V1_PRESCAN_H
#define TP_MERGE_V1_PRESCAN_H

#include "merge/v1/trace.h"

// After the tables are finished: sets trace->is_surveyed if that is enough, and then its exits
// and messages. It is not where the order has to be asked: two ends of syscalls at one time
// stand as they were told; CPU samples may stand between a syscall and its block; frames may
// name messages, by damage. TP_E_LIMIT, TP_E_MEMORY, TP_E_WRITE, TP_E_KERNEL.
int tp_v1_survey(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

#endif
