// Finds futile wake-ups, which the parser of Go 1.5 to 1.21 leaves out (removeFutile): a
// goroutine was woken, did not get what it waits for, and blocks again. The events of the wake-up
// are
//
//   GoUnblock ... GoStart ... GoPreempt ... GoStart ... FutileWakeup ... GoBlockSync
//
// beginning with the first of these that the trace shows. Whether a wake-up is futile is known
// when it ends, but needed when it begins. So one walk numbers the events of wake-ups and notes
// the number of the first event of each futile wake-up, and another walk leaves out the wake-ups
// that begin at these numbers. The events of a wake-up are not stored, however long it takes.
//
// A struct tp_v1_wakeups serves one of the two walks; a zeroed one is ready for the first event.
// For each goroutine the caller keeps a struct tp_v1_noted_wakeup (first walk) or tp_v1_wakeup
// (second walk) in a table of its own. Belongs to one thread at a time. Nothing has to be freed.
#ifndef TP_MERGE_V1_WAKEUPS_H
#define TP_MERGE_V1_WAKEUPS_H

#include "merge/v1/cursor.h"

// The wake-up of a goroutine that has not ended.
struct tp_v1_wakeup {
    bool has_begun;
    bool is_futile;          // first walk: a FutileWakeup came; second walk: it is to be left out
};

// A wake-up of a goroutine in the first walk.
struct tp_v1_noted_wakeup {
    struct tp_v1_wakeup wakeup;
    uint64_t begin;          // the number of its first event, if has_begun
};

// The position of a walk.
struct tp_v1_wakeups {
    uint64_t count;          // events of wake-ups so far
    uint32_t futile_idx;     // the next one of trace->futile
};

// Returns the goroutine to whose wake-up the event may belong.
TP_INLINE uint64_t tp_v1_wakeup_g(const struct tp_v1_ordered *e)
{
    return e->type == TP_V1_GoUnblock ? tp_v1_arg(e, GoUnblock, g) : e->g;
}

// Handles the next event of the first walk; if it ends a futile wake-up, adds that to t->futile.
// `of` is the wake-up of goroutine tp_v1_wakeup_g(e), zeroed before its first event. False: out of
// memory.
bool tp_v1_wakeups_note(struct tp_v1_wakeups *w, struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, struct tp_v1_noted_wakeup *of) TP_MUST_USE;
// Sorts t->futile, after the last event of the first walk.
void tp_v1_wakeups_sort(struct tp_v1_trace *t);

// Handles the next event of the second walk, and returns whether to leave it out. `of` is as for
// tp_v1_wakeups_note.
bool tp_v1_wakeups_drop(struct tp_v1_wakeups *w, const struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, struct tp_v1_wakeup *of);

#endif
