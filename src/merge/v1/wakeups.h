// Wake-ups for nothing, which the parser of Go 1.5 to 1.21 leaves out (removeFutile): a
// goroutine was woken, did not get what it waits for, and blocks again. The wake-up is
//
//   GoUnblock ... GoStart ... GoPreempt ... GoStart ... FutileWakeup ... GoBlockSync
//
// or begins with the first of these that the trace shows. Whether it was for nothing is known
// when it ends, and needed when it begins. So one walk numbers the events of wake-ups and notes
// the number of the first event of each futile wake-up, and another walk leaves out the wake-ups
// that begin at these numbers. No wake-up is kept in between, however long it takes.
//
// A struct serves one of the two walks; zeroed, it is ready for the first event. Belongs to one
// thread.
#ifndef TP_MERGE_V1_WAKEUPS_H
#define TP_MERGE_V1_WAKEUPS_H

#include "base/slab.h"
#include "merge/v1/cursor.h"

struct tp_v1_wakeups {
    struct tp_slab gs;       // goroutines whose wake-up has not ended
    uint64_t count;          // events of wake-ups so far
    uint32_t futile_idx;     // the next one of trace->futile
};

void tp_v1_wakeups_fini(struct tp_v1_wakeups *w);
// Bytes of the struct's tables, and of t->futile.
size_t tp_v1_wakeups_bytes(const struct tp_v1_wakeups *w, const struct tp_v1_trace *t);

// The next event of the first walk; adds to t->futile. False: out of memory.
bool tp_v1_wakeups_note(struct tp_v1_wakeups *w, struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e) TP_MUST_USE;
// After the last.
void tp_v1_wakeups_sort(struct tp_v1_trace *t);

// The next event of the second walk: whether it is left out. False: out of memory.
bool tp_v1_wakeups_drop(struct tp_v1_wakeups *w, const struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, bool *ret_drops) TP_MUST_USE;

#endif
