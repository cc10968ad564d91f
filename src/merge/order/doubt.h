// A trace from which no event is missing may contain events that contradict each other, so that Go's
// reader refuses it: because of a known fault of Go's tracer, or of mistakes in the program's
// annotations (mistake.h). Without `strict`, the later one of these events is believed, which means
// taken against the rules, and reported as a doubt; no event is lost. Any other contradiction means
// that events are missing.
//
// The fault of the tracer: a thread that acquires a P flushes the P's cache of spans before it writes
// the start of the P (runtime.acquirep). If the flush writes events, and they are the first of a
// generation to concern the P, the tracer writes the P's status before them: Running, although the P
// was Idle.
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

#define TP_DOUBT_TEXT_BYTES 768

// Kinds of doubts: X(NAME, key, words for several). Keys are those of the manifest.
#define TP_DOUBT_MAP(X)                                                                       \
    X(STATUS, "proc_status", "statuses of Ps before their start")                                  \
    X(REGION_OVERLAP, "region_overlap", "regions that end before regions inside them")        \
    X(REGION_NOT_OPEN, "region_not_open", "ends of regions that are not open")                \
    X(REGION_NOT_ENDED, "region_not_ended", "regions that are open when their goroutine ends") \
    X(TASK_ENDED_TWICE, "task_ended_twice", "second ends of tasks")

enum tp_doubt_kind {
#define TP_X(name, key, words) TP_DOUBT_##name,
    TP_DOUBT_MAP(TP_X)
#undef TP_X
    TP_DOUBT_KINDS
};

// An event that was believed and handed out.
struct tp_doubt {
    enum tp_doubt_kind kind;
    uint64_t generation;
    int64_t time_ns;     // as it was handed out
    int64_t m;
    int64_t g;           // the goroutine of an annotation
    char text[TP_DOUBT_TEXT_BYTES]; // Go's message, or the words of a mistake
};

// The doubts of one input.
struct tp_doubts {
    uint64_t count; // all doubts; the first TP_DOUBTS_KEPT are in `first`
    uint64_t by_kind[TP_DOUBT_KINDS];
    struct tp_doubt first[TP_DOUBTS_KEPT];
};

// Finds out whether the next event of `c`, which the rules have just refused, shows the fault. If
// so, takes the event, writes it to `out` with its own time, and sets *ret_made to 1. If not, sets
// *ret_made to 0 and changes nothing. To find this out, reads ahead in the run, only over events
// that the flush of a P's cache writes; so no event is read ahead twice. Fails as the loader does,
// or with TP_E_MEMORY; nothing has changed then, either.
int tp_order_believe(struct tp_order *o, const struct tp_cursor *c, struct tp_batch_loader *loader,
                     struct tp_event *out, size_t *ret_made, struct tp_error *err) TP_MUST_USE;

// Counts a doubt. Returns where the caller writes it if it is among the first TP_DOUBTS_KEPT, with
// its kind set; else NULL.
struct tp_doubt *tp_doubts_count(struct tp_doubts *d, enum tp_doubt_kind kind);
// Returns whether no more details are kept.
TP_INLINE bool tp_doubts_are_full(const struct tp_doubts *d) { return d->count >= TP_DOUBTS_KEPT; }
// Adds all doubts of `later`, which are about later events.
void tp_doubts_join(struct tp_doubts *d, const struct tp_doubts *later);

#endif
