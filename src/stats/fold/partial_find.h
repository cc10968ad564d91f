// Finds the records of goroutines in a partial. For the files of this folder only.
#ifndef TP_STATS_FOLD_PARTIAL_FIND_H
#define TP_STATS_FOLD_PARTIAL_FIND_H

#include "stats/fold/partial.h"

// Adds the record of a goroutine that has none; may move the records of all others. NULL: out of
// memory.
struct tp_partial_g *tp_partial_add_g(struct tp_partial *s, int64_t id) TP_MUST_USE;
// Returns the item of the cache for a goroutine.
TP_INLINE struct tp_partial_recent *tp_partial_recent_of(struct tp_partial *s, int64_t id)
{
    static_assert((TP_PARTIAL_RECENT_GS & (TP_PARTIAL_RECENT_GS - 1)) == 0, "a power of two");
    return &s->recent_gs[(uint64_t)id % TP_PARTIAL_RECENT_GS];
}
// Returns the record of a goroutine, which is put into the cache; valid until the next goroutine is
// added. NULL: it has none.
struct tp_partial_g *tp_partial_seek_g(struct tp_partial *s, int64_t id);
// Does the same as tp_partial_seek_g, but inlined, and fast for goroutines in the cache.
TP_INLINE struct tp_partial_g *tp_partial_find_g(struct tp_partial *s, int64_t id)
{
    const struct tp_partial_recent *recent = tp_partial_recent_of(s, id);
    return tp_likely(recent->id == id) ? &s->gs.items[recent->slot] : tp_partial_seek_g(s, id);
}
// Returns the record of a goroutine, which is created if needed. Valid until the next goroutine is
// added. NULL: out of memory.
TP_INLINE struct tp_partial_g *tp_partial_g_of(struct tp_partial *s, int64_t id)
{
    struct tp_partial_g *g = tp_partial_find_g(s, id);
    return tp_likely(g != NULL) ? g : tp_partial_add_g(s, id);
}
// Removes the record of a goroutine.
void tp_partial_remove_g(struct tp_partial *s, struct tp_partial_g *g);

#endif
