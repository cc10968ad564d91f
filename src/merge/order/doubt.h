// Handles a known fault of Go's tracer: a trace from which no event is missing may contain events
// that contradict each other, so that Go's reader refuses it. Without `strict`, the later one of
// these events is believed, which means taken against the rules, and reported as a doubt; no event
// is lost. Any other contradiction means that events are missing.
//
// The fault: a thread that acquires a P flushes the P's cache of spans before it writes the start
// of the P (runtime.acquirep). If the flush writes events, and they are the first of a generation
// to concern the P, the tracer writes the P's status before them: Running, although the P was Idle.
//
//   M   ProcStatus p Running   HeapAlloc ...   ProcStart p 1
//
// From that status on the P counts as running, and its start is accepted although the P runs
// already. Waiting for events of other threads cannot resolve the contradiction, because that start
// is the P's first one in the generation. So the status is believed at once, not only when no other
// thread can go on. No such fault is known for goroutines.
//
// Belongs to the thread of the order; owns no memory.
#ifndef TP_MERGE_ORDER_DOUBT_H
#define TP_MERGE_ORDER_DOUBT_H

#include "merge/order/cursor.h"
#include "merge/order/order.h"

// Maximum number of doubts whose details are kept.
#define TP_DOUBTS_KEPT 16

// A refused event that was believed and handed out.
struct tp_doubt {
    uint64_t generation;
    int64_t time_ns;         // as it was handed out
    int64_t m;
    struct tp_error refusal; // error of the rules, with Go's message
};

// The doubts of one input.
struct tp_doubts {
    uint64_t count; // all doubts; the first TP_DOUBTS_KEPT are in `first`
    struct tp_doubt first[TP_DOUBTS_KEPT];
};

// Finds out whether the next event of `c`, which the rules have just refused, shows the fault. If
// so, takes the event, writes it to `out` with its own time, and sets *ret_made to 1. If not, sets
// *ret_made to 0 and changes nothing. To find this out, reads ahead in the run, only over events
// that the flush of a P's cache writes; so no event is read ahead twice. Fails as the loader does,
// or with TP_E_MEMORY; nothing has changed then, either.
int tp_order_believe(struct tp_order *o, const struct tp_cursor *c, struct tp_batch_loader *loader,
                     struct tp_event *out, size_t *ret_made, struct tp_error *err) TP_MUST_USE;

// Counts the doubt, and keeps a copy of it if it is among the first TP_DOUBTS_KEPT.
void tp_doubts_add(struct tp_doubts *d, const struct tp_doubt *doubt);

#endif
