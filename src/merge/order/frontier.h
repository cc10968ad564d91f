// The frontier: the cursors of a generation by the time of their next event. The output shows
// which of several equal times came first, so this is Go's heap to the letter
// (internal/trace/batchcursor.go): an array heap with strict comparison, where
// position breaks ties, and its fall-back sort.
//
// Belongs to one thread at a time; allocates nothing and cannot fail.
#ifndef TP_MERGE_ORDER_FRONTIER_H
#define TP_MERGE_ORDER_FRONTIER_H

#include "base/attr.h"

struct tp_cursor;

struct tp_frontier_entry {
    int64_t time_ns;         // of the cursor's next event
    struct tp_cursor *cursor;
};

// All entries behind the last one have this time, later than any event, so that no code has to
// check whether an entry has children.
#define TP_FRONTIER_NEVER INT64_MAX
#define TP_FRONTIER_ROOM(count) (2 * (size_t)(count) + 2)

struct tp_frontier {
    // The owner's memory, TP_FRONTIER_ROOM(most cursors) entries.
    struct tp_frontier_entry *entries;
    size_t count;
};

// Empties the frontier, for up to `count_max` cursors.
void tp_frontier_clear(struct tp_frontier *f, size_t count_max);

void tp_frontier_push(struct tp_frontier *f, int64_t time_ns, struct tp_cursor *cursor);
// Entry `i` has a new time.
void tp_frontier_update(struct tp_frontier *f, size_t i, int64_t time_ns);
void tp_frontier_remove(struct tp_frontier *f, size_t i);
// Sorts ascending, with ties as Go's unstable sort leaves them; the result is a heap, too.
void tp_frontier_sort(struct tp_frontier *f);
// The same for entries that are in no frontier.
void tp_frontier_sort_entries(struct tp_frontier_entry *entries, size_t count);

// Sinks a new entry from `hole` downwards to its place; the entry at `hole` is overwritten.
void tp_frontier_sink(struct tp_frontier *f, size_t hole, int64_t time_ns,
                      struct tp_cursor *cursor);

// Gives entry 0 a new time, with which it mostly keeps its place. Returns the cursor of the entry
// that is 0 afterwards, so that the caller need not load it back from the heap.
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
