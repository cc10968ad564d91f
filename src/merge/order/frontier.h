// The frontier: a heap of a generation's cursors by the time of their next event. The output shows
// which of several events with equal times came first, so this heap behaves exactly as Go's
// (internal/trace/batchcursor.go): an array heap with strict comparison, in which the position
// breaks ties. When the earliest event has to wait, Go sorts the array; tp_frontier_sort leaves the
// entries in the same order as Go.
//
// Belongs to one thread at a time; allocates nothing and cannot fail.
#ifndef TP_MERGE_ORDER_FRONTIER_H
#define TP_MERGE_ORDER_FRONTIER_H

#include "base/attr.h"

struct tp_cursor;

// One cursor in the heap, or a guard entry (see TP_FRONTIER_NEVER).
struct tp_frontier_entry {
    int64_t time_ns;          // of the cursor's next event
    struct tp_cursor *cursor; // borrowed; NULL in a guard entry
};

// Time of the guard entries, which fill the array after the last cursor. It is later than any
// event, so no code has to check whether an entry has children.
#define TP_FRONTIER_NEVER INT64_MAX
// Number of entries to allocate for `count` cursors, including guard entries for the children of
// the last cursors.
#define TP_FRONTIER_ROOM(count) (2 * (size_t)(count) + 2)

// The heap. entries[0] is the cursor with the earliest event.
struct tp_frontier {
    // Memory of the frontier's owner, who frees it: TP_FRONTIER_ROOM(most cursors) entries.
    struct tp_frontier_entry *entries;
    size_t count; // cursors, without the guards
};

// Removes all cursors and prepares the array for up to `count_max` of them.
void tp_frontier_clear(struct tp_frontier *f, size_t count_max);

// Adds a cursor whose next event is at `time_ns`. There must be room for it.
void tp_frontier_push(struct tp_frontier *f, int64_t time_ns, struct tp_cursor *cursor);
// Gives entry `i` a new time and moves it to its place in the heap.
void tp_frontier_update(struct tp_frontier *f, size_t i, int64_t time_ns);
// Removes entry `i` as Go does: moves it up to the root, and removes the root.
void tp_frontier_remove(struct tp_frontier *f, size_t i);
// Sorts entries, of a frontier or of an array of the caller, by ascending time, and those of equal
// time as Go's unstable sort leaves them. The result is a heap, too.
void tp_frontier_sort(struct tp_frontier_entry *entries, size_t count);

// Puts a new entry at `hole`, whose entry is overwritten, and moves the new entry down to its
// place.
void tp_frontier_sink(struct tp_frontier *f, size_t hole, int64_t time_ns,
                      struct tp_cursor *cursor);

// Gives entry 0 a new time; in most cases the entry stays first. Returns the cursor of the entry
// that is first afterwards, so that the caller need not load it from the heap.
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
