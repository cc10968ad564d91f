// Known faults of Go's tracer: it has written all there is, and yet its events contradict each
// other, so that Go's reader refuses them. Without `strict` what is later is believed, and told as
// a doubt; nothing is lost by it. Every other contradiction says that something is missing.
//
// There is one. A thread that acquires a P flushes the P's cache of spans before it tells that it
// starts the P (runtime.acquirep). If the flush has something to tell, and is the first to speak of
// the P in a generation, it tells the P's status before: Running, of a P that was Idle.
//
//   M   ProcStatus p Running   HeapAlloc ...   ProcStart p 1
//
// From that status on the P runs, and its start finds it running. No other event can make the
// status right, because the P's first start in the generation is that very one: so the event need
// not wait until nobody else can go. Of goroutines no such fault is known.
#ifndef TP_MERGE_ORDER_DOUBT_H
#define TP_MERGE_ORDER_DOUBT_H

#include "merge/order/cursor.h"
#include "merge/order/order.h"

#define TP_DOUBTS_KEPT 16

// An event that was believed.
struct tp_doubt {
    uint64_t generation;
    int64_t time_ns;         // as it was handed out
    int64_t m;
    struct tp_error refusal; // Go's words
};

struct tp_doubts {
    uint64_t count; // the first TP_DOUBTS_KEPT are in `first`
    struct tp_doubt first[TP_DOUBTS_KEPT];
};

// Takes the next event of `c`, which the rules have just refused, if it is one of those: then
// *ret_made is as many events as stand in `out`, times still those of the event; else it is 0, and
// nothing has changed. Reads on in the run as far as the flush goes, so that no event is read for
// it more than once. Fails with what the loader fails with, TP_E_MEMORY.
int tp_order_believe(struct tp_order *o, const struct tp_cursor *c, struct tp_batch_loader *loader,
                     struct tp_event *out, size_t *ret_made, struct tp_error *err) TP_MUST_USE;

void tp_doubts_add(struct tp_doubts *d, const struct tp_doubt *doubt);

#endif
