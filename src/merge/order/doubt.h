// Handles known faults of Go's tracer: a trace that is complete, and yet has events that contradict
// each other, so that Go's reader refuses it. Without `strict`, the later event is believed and
// reported as a doubt; no event is lost. Any other contradiction means that events are missing.
//
// One fault is known. A thread that acquires a P flushes the P's cache of spans before it writes
// the start of the P (runtime.acquirep). If the flush writes events, and they are the first of a
// generation to concern the P, the tracer writes the P's status before them: Running, although the
// P was Idle.
//
//   M   ProcStatus p Running   HeapAlloc ...   ProcStart p 1
//
// From that status on the P counts as running, and its start is accepted although the P runs
// already. No other event can make the status right, because that start is the P's first one in
// the generation. So the status is believed at once, without waiting until no other thread can go.
// No such fault is known for goroutines.
#ifndef TP_MERGE_ORDER_DOUBT_H
#define TP_MERGE_ORDER_DOUBT_H

#include "merge/order/cursor.h"
#include "merge/order/order.h"

// Number of doubts of which the details are kept.
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

// Takes the next event of `c`, which the rules have just refused, if it shows the fault: then
// *ret_made is the number of events in `out`, which still have the time of that event. If it does
// not, *ret_made is 0, and nothing has changed. Reads ahead in the run to the end of the flush, so
// that no event is read ahead more than once. Fails as the loader does, or with TP_E_MEMORY.
int tp_order_believe(struct tp_order *o, const struct tp_cursor *c, struct tp_batch_loader *loader,
                     struct tp_event *out, size_t *ret_made, struct tp_error *err) TP_MUST_USE;

// Counts the doubt, and keeps a copy of it if it is among the first TP_DOUBTS_KEPT.
void tp_doubts_add(struct tp_doubts *d, const struct tp_doubt *doubt);

#endif
