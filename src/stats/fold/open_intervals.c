#include "stats/fold/open_intervals.h"

#include <assert.h>

#include "base/alloc.h"

void tp_open_intervals_clear(struct tp_open_intervals *o)
{
    tp_map_clear(&o->by_id);
    o->count = 0;
}

void tp_open_intervals_fini(struct tp_open_intervals *o)
{
    tp_map_fini(&o->by_id);
    tp_free(o->items);
    *o = (struct tp_open_intervals){0};
}

TP_NOINLINE struct tp_open *tp_open_intervals_add(struct tp_open_intervals *o, uint64_t id)
{
    if (!TP_LIST_ROOM(o) || !tp_map_put(&o->by_id, id, o->count))
        return NULL;
    return &o->items[o->count++];
}

// Removes an interval; the last one moves into its place.
void tp_open_intervals_remove(struct tp_open_intervals *o, struct tp_open *open)
{
    uint32_t slot = (uint32_t)(open - o->items);
    const struct tp_open *last = &o->items[--o->count];
    tp_map_remove(&o->by_id, open->id);
    if (last == open)
        return;
    tp_map_remove(&o->by_id, last->id);
    *open = *last;
    bool has_room = tp_map_put(&o->by_id, open->id, slot);
    assert(has_room); // two entries were removed before
    (void)has_room;
}
