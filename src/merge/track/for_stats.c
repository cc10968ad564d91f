// Follows the events of a block, for statistics, and prefetches goroutines where there are many.
#include "merge/track/track.h"

// Least number of goroutines with which prefetching pays off: the records of fewer goroutines stay in the
// processor's near caches.
#define FAR_GOROUTINES 4096
// Events whose goroutines are prefetched together, so that the cache misses overlap.
#define AHEAD 16

// Prefetches the goroutines whose states the events change.
static void prefetch(const struct tp_tracker *t, const struct tp_event *e, uint32_t count)
{
    int64_t ids[AHEAD];
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = tp_event_resource_id(&e[i], &tp_event_shapes[e[i].type]);
        tp_map_prefetch(&t->gs.by_id, (uint64_t)ids[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tp_track_g *g = &t->gs.items[tp_map_get(&t->gs.by_id, (uint64_t)ids[i])];
        __builtin_prefetch(&g->now, 1);
        __builtin_prefetch(&g->clock, 1);
        __builtin_prefetch(&g->left_ns, 1);
    }
}

TP_NOINLINE void tp_track_for_stats(struct tp_tracker *t, struct tp_facts *f,
                                    const struct tp_event *e, uint32_t count, uint32_t idx)
{
    const struct tp_event *first = e - idx, *stop = e + count;
    while (e < stop) {
        bool is_far = t->gs.by_id.count >= FAR_GOROUTINES;
        const struct tp_event *end = is_far && stop - e > AHEAD ? e + AHEAD : stop;
        if (is_far)
            prefetch(t, e, (uint32_t)(end - e));
        tp_track_usual(t, f, e, end, first);
        e = end;
    }
}
