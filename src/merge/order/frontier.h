// The cursors of a generation by the time of their next event. Whose turn it is
// among equal times shows in the output, so this is Go's heap to the letter
// (internal/trace/batchcursor.go): an array heap that compares strictly, where
// position breaks ties, and its fall-back sort.
//
// Comparing cannot fail. Belongs to one thread at a time; allocates nothing.
#ifndef TP_MERGE_ORDER_FRONTIER_H
#define TP_MERGE_ORDER_FRONTIER_H

#include "base/attr.h"

struct tp_cursor;

struct tp_frontier_entry {
    int64_t time_ns;         // of the cursor's next event
    struct tp_cursor *cursor;
};

// Behind the last entry all are later than any event, so that nobody has to ask whether
// an entry has children.
#define TP_FRONTIER_NEVER INT64_MAX
#define TP_FRONTIER_ROOM(count) (2 * (size_t)(count) + 2)

struct tp_frontier {
    // Of the owner; TP_FRONTIER_ROOM for every cursor.
    struct tp_frontier_entry *entries;
    size_t count;
};

// For up to `count_max` cursors.
void tp_frontier_clear(struct tp_frontier *f, size_t count_max);

void tp_frontier_push(struct tp_frontier *f, int64_t time_ns, struct tp_cursor *cursor);
// Entry `i` has a new time.
void tp_frontier_update(struct tp_frontier *f, size_t i, int64_t time_ns);
void tp_frontier_remove(struct tp_frontier *f, size_t i);
// Ascending, with the ties of Go's unstable sort; a heap again afterwards.
void tp_frontier_sort(struct tp_frontier *f);
// The same of entries elsewhere.
void tp_frontier_sort_entries(struct tp_frontier_entry *entries, size_t count);

// Puts an entry where it belongs from `hole` on downwards; what was there is overwritten.
void tp_frontier_sink(struct tp_frontier *f, size_t hole, int64_t time_ns,
                      struct tp_cursor *cursor);

// Entry 0 has a new time, with which it mostly keeps its place. Whose entry is 0 then: who
// goes on with it need not wait until it is there.
TP_INLINE struct tp_cursor *tp_frontier_update_first(struct tp_frontier *f, int64_t time_ns)
{
    struct tp_frontier_entry *e = f->entries;
    size_t child = e[2].time_ns < e[1].time_ns ? 2 : 1;
    int64_t child_ns = e[child].time_ns;
    struct tp_cursor *cursor = e[0].cursor, *after = e[child].cursor;
    e[0].time_ns = time_ns;
    if (child_ns >= time_ns)
        return cursor;
    e[0].cursor = after;
    e[0].time_ns = child_ns;
    tp_frontier_sink(f, child, time_ns, cursor);
    return after;
}

#endif
