#include "merge/v1/wakeups.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"

struct wakeup {
    uint64_t begin;      // its number
    bool has_begun;
    bool is_futile;      // noted: a FutileWakeup came; left out: it was for nothing
};

void tp_v1_wakeups_fini(struct tp_v1_wakeups *w)
{
    tp_slab_fini(&w->gs);
    *w = (struct tp_v1_wakeups){0};
}

size_t tp_v1_wakeups_bytes(const struct tp_v1_wakeups *w, const struct tp_v1_trace *t)
{
    return tp_slab_bytes(&w->gs) + t->futile.count * sizeof *t->futile.items;
}

// EVENTS

enum part { PART_NONE, PART_BEGIN, PART_MEMBER, PART_END, PART_GONE };

// What an event is to a wake-up, and of which goroutine.
static enum part part_of(const struct tp_v1_ordered *e, uint64_t *ret_g)
{
    *ret_g = e->g;
    switch (e->type) {
    case TP_V1_GoUnblock: *ret_g = e->args[0]; return PART_BEGIN;
    case TP_V1_GoStart:
    case TP_V1_GoPreempt:
    case TP_V1_FutileWakeup: return PART_MEMBER;
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend:
    case TP_V1_GoBlockRecv:
    case TP_V1_GoBlockSelect:
    case TP_V1_GoBlockSync:
    case TP_V1_GoBlockCond: return PART_END;
    case TP_V1_GoEnd: return PART_GONE;
    default: return PART_NONE;
    }
}

bool tp_v1_wakeups_note(struct tp_v1_wakeups *w, struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e)
{
    uint64_t g;
    enum part part = part_of(e, &g);
    if (part == PART_NONE)
        return true;
    if (part == PART_END || part == PART_GONE) {
        const struct wakeup *u = tp_slab_get(&w->gs, g);
        bool is_futile = part == PART_END && u != NULL && u->is_futile;
        if (is_futile && !TP_LIST_ROOM(&t->futile))
            return false;
        if (is_futile)
            t->futile.items[t->futile.count++] = u->begin;
        tp_slab_remove(&w->gs, g);
        return true;
    }
    struct wakeup *u = tp_slab_get_or_add(&w->gs, g, sizeof *u);
    if (u == NULL)
        return false;
    // Woken anew it is still marked, as in Go.
    if (part == PART_BEGIN || !u->has_begun)
        u->begin = w->count;
    u->has_begun = true;
    u->is_futile = u->is_futile || e->type == TP_V1_FutileWakeup;
    w->count++;
    return true;
}

static int by_number(const void *a, const void *b)
{
    return tp_compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

void tp_v1_wakeups_sort(struct tp_v1_trace *t)
{
    if (t->futile.count > 0)
        qsort(t->futile.items, t->futile.count, sizeof *t->futile.items, by_number);
}

bool tp_v1_wakeups_drop(struct tp_v1_wakeups *w, const struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, bool *ret_drops)
{
    uint64_t g;
    enum part part = part_of(e, &g);
    *ret_drops = false;
    if (part == PART_NONE)
        return true;
    if (part == PART_END || part == PART_GONE) {
        const struct wakeup *u = tp_slab_get(&w->gs, g);
        *ret_drops = part == PART_END && u != NULL && u->is_futile;
        tp_slab_remove(&w->gs, g);
        return true;
    }
    struct wakeup *u = tp_slab_get_or_add(&w->gs, g, sizeof *u);
    if (u == NULL)
        return false;
    if (part == PART_BEGIN || !u->has_begun) {
        u->is_futile = w->futile_idx < t->futile.count &&
                       t->futile.items[w->futile_idx] == w->count;
        w->futile_idx += u->is_futile;
    }
    u->has_begun = true;
    w->count++;
    *ret_drops = u->is_futile;
    return true;
}
