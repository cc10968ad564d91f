#include "merge/order/frontier.h"

static void exchange(struct tp_frontier *f, size_t a, size_t b)
{
    struct tp_frontier_entry e = f->entries[a];
    f->entries[a] = f->entries[b];
    f->entries[b] = e;
}

static size_t sift_up(struct tp_frontier *f, size_t i)
{
    while (i > 0 && f->entries[(i - 1) / 2].time_ns > f->entries[i].time_ns) {
        exchange(f, (i - 1) / 2, i);
        i = (i - 1) / 2;
    }
    return i;
}

// Moves a hole down instead of swapping entries, and compares the children without a branch: with
// many threads this is the most expensive step. Go takes the left child if that is less than the
// entry, then the right child if that is less than the left one; the choice here is the same.
//
// Entries are moved field by field: the processor cannot forward the data of two 8-byte stores
// from its store buffer to one 16-byte load, so the next event would wait for the stores.
void tp_frontier_sink(struct tp_frontier *f, size_t hole, int64_t time_ns,
                      struct tp_cursor *cursor)
{
    struct tp_frontier_entry *e = f->entries;
    for (;;) {
        size_t child = 2 * hole + 1;
        child += e[child + 1].time_ns < e[child].time_ns;
        int64_t child_ns = e[child].time_ns;
        if (child_ns >= time_ns)
            break;
        e[hole].cursor = e[child].cursor;
        e[hole].time_ns = child_ns;
        hole = child;
    }
    e[hole].cursor = cursor;
    e[hole].time_ns = time_ns;
}

static void settle_down(struct tp_frontier *f, size_t i)
{
    tp_frontier_sink(f, i, f->entries[i].time_ns, f->entries[i].cursor);
}

static const struct tp_frontier_entry guard = {TP_FRONTIER_NEVER, NULL};

void tp_frontier_clear(struct tp_frontier *f, size_t count_max)
{
    f->count = 0;
    for (size_t i = 0; i < TP_FRONTIER_ROOM(count_max); i++)
        f->entries[i] = guard;
}

void tp_frontier_push(struct tp_frontier *f, int64_t time_ns, struct tp_cursor *cursor)
{
    f->entries[f->count] = (struct tp_frontier_entry){time_ns, cursor};
    sift_up(f, f->count++);
}

void tp_frontier_update(struct tp_frontier *f, size_t i, int64_t time_ns)
{
    f->entries[i].time_ns = time_ns;
    if (sift_up(f, i) == i)
        settle_down(f, i);
}

void tp_frontier_remove(struct tp_frontier *f, size_t i)
{
    for (; i > 0; i = (i - 1) / 2)
        exchange(f, i, (i - 1) / 2);
    f->entries[0] = f->entries[--f->count];
    f->entries[f->count] = guard;
    settle_down(f, 0);
}

#define SORT_ITEM struct tp_frontier_entry
#define SORT_KEY time_ns
#include "base/sort/gosort.def"

void tp_frontier_sort(struct tp_frontier_entry *entries, size_t count)
{
    sort_all(&(struct sorter){entries}, count);
}
