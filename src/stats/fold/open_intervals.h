// Keeps open intervals by id, for example tasks by task id. One thread at a time uses an object. A
// zeroed one has no intervals; the owner frees it with TP_SLAB_FINI.
#ifndef TP_STATS_FOLD_OPEN_INTERVALS_H
#define TP_STATS_FOLD_OPEN_INTERVALS_H

#include "base/slab.h"

// An interval that has begun and not ended. Pointers to it are valid until the next interval is
// added.
struct tp_open {
    uint64_t id;
    int64_t since_ns; // time of its beginning, or of the event that announced it
    uint32_t name;    // partial: index of a string; stitch: number of totals.names
    union {
        // The stack at which a pause began. Partial: index in the tables, or TP_NO_STACK; stitch:
        // number of totals.stacks, or TP_INTERN_NONE. Has no meaning for other intervals.
        uint32_t stack;
        uint32_t logs; // of a task: its chain of log lines (fold/task_logs.h); 0: empty
    };
    uint32_t mark;    // of the beginning of a task (fold/breakdown.h), a slot; 0: none
    bool is_open;     // false: a free slot
    // Set if an event announced the interval as active when the generation began: the interval
    // began earlier, at a time that only the stitch may know.
    bool is_active;
    // For partials only. is_replaced: an interval with this id began in this partial, so the stitch
    // drops its interval with this id. is_over: the interval that began here has also ended, so
    // none with this id is open.
    bool is_replaced;
    bool is_over;
};

// The open intervals of one kind (enum tp_open_kind, partial.h). Owns its memory.
struct tp_open_intervals {
    TP_SLAB(struct tp_open);
};

// Returns the item with this id, which is added if needed; the caller sets all its members, is_open
// to true. NULL: out of memory, and nothing has changed.
TP_INLINE struct tp_open *tp_open_intervals_make(struct tp_open_intervals *o, uint64_t id)
{
    return TP_SLAB_GET_OR_ADD(o, id);
}

// Adds a copy of `open`, or replaces the item with the same id; sets is_open. False: out of memory,
// and nothing has changed.
TP_INLINE TP_MUST_USE bool tp_open_intervals_put(struct tp_open_intervals *o, struct tp_open open)
{
    struct tp_open *item = tp_open_intervals_make(o, open.id);
    if (tp_unlikely(item == NULL))
        return false;
    *item = open;
    item->is_open = true;
    return true;
}

// Removes `open`, which must be an item of `o`; its slot is then free for another interval.
TP_INLINE void tp_open_intervals_remove(struct tp_open_intervals *o, struct tp_open *open)
{
    open->is_open = false;
    TP_SLAB_REMOVE(o, open->id);
}

#endif
