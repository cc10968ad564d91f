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
// A struct serves one of the two walks; zeroed, it is ready for the first event. The caller keeps a
// struct of each goroutine in a table of its own. Belongs to one thread.
#ifndef TP_MERGE_V1_WAKEUPS_H
#define TP_MERGE_V1_WAKEUPS_H

#include "merge/v1/cursor.h"

// The wake-up of a goroutine that has not ended.
struct tp_v1_wakeup {
    bool has_begun;
    bool is_futile;          // first walk: a FutileWakeup came; second walk: it was for nothing
};

// A wake-up as the first walk needs it.
struct tp_v1_noted_wakeup {
    struct tp_v1_wakeup wakeup;
    uint64_t begin;          // the number of its first event, if has_begun
};

struct tp_v1_wakeups {
    uint64_t count;          // events of wake-ups so far
    uint32_t futile_idx;     // the next one of trace->futile
};

// The goroutine whose wake-up an event may be of.
TP_INLINE uint64_t tp_v1_wakeup_g(const struct tp_v1_ordered *e)
{
    return e->type == TP_V1_GoUnblock ? tp_v1_arg(e, GoUnblock, g) : e->g;
}

// The next event of the first walk; adds to t->futile. `of` is that of tp_v1_wakeup_g, zeroed at
// first. False: out of memory.
bool tp_v1_wakeups_note(struct tp_v1_wakeups *w, struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, struct tp_v1_noted_wakeup *of) TP_MUST_USE;
// After the last.
void tp_v1_wakeups_sort(struct tp_v1_trace *t);

// The next event of the second walk: whether it is left out.
bool tp_v1_wakeups_drop(struct tp_v1_wakeups *w, const struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, struct tp_v1_wakeup *of);

#endif
