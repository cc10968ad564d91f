// Section of a state: the goroutines that ran longest.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "stats/state/section.h"

static void use_gs(struct tp_state_writer *w)
{
    const struct tp_top_goroutines *gs = &w->totals->gs;
    for (uint32_t i = 0; i < gs->heap.count; i++) {
        tp_state_use(w, TP_STATE_NAME, gs->heap.items[i].path);
        tp_state_use(w, TP_STATE_NAME, gs->heap.items[i].function);
    }
}

static int compare(const void *left, const void *right, void *ctx)
{
    const struct tp_state_writer *w = ctx;
    return tp_top_goroutine_compare(w->totals, left, right);
}

static void put_g(struct tp_state_writer *w, const struct tp_top_goroutine *g)
{
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        tp_state_put(w, g->spent_ns[i]);
    tp_state_put(w, (uint64_t)g->begin_ns);
    tp_state_put(w, g->life_ns);
    tp_state_put(w, (uint64_t)g->id);
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, g->function));
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, g->path));
}

static void put_gs(struct tp_state_writer *w)
{
    const struct tp_top_goroutines *gs = &w->totals->gs;
    if (gs->limit == 0 && gs->heap.count == 0 && gs->others.count == 0)
        return;
    struct tp_top_goroutine *sorted = tp_state_items(w, gs->heap.count, sizeof *sorted);
    if (sorted == NULL)
        return;
    if (gs->heap.count > 0)
        memcpy(sorted, gs->heap.items, gs->heap.count * sizeof *sorted);
    qsort_r(sorted, gs->heap.count, sizeof *sorted, compare, w);
    tp_state_put(w, gs->limit);
    tp_state_put(w, gs->others.count);
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        tp_state_put_wide(w, gs->others.ns[i]);
    for (uint32_t i = 0; i < gs->heap.count; i++)
        put_g(w, &sorted[i]);
    tp_free(sorted);
}

static void get_g(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    struct tp_top_goroutine g;
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        g.spent_ns[i] = tp_state_get(r);
    g.begin_ns = (int64_t)tp_state_get(r);
    g.life_ns = tp_state_get(r);
    g.id = (int64_t)tp_state_get(r);
    g.function = tp_state_get_below(r, s->names.count, "name");
    g.path = tp_state_get_below(r, s->names.count, "name");
    if (r->code == 0 && s->gs.limit > 0 && s->gs.heap.count == s->gs.limit)
        tp_state_refuse(r, "more goroutines than its limit");
    if (r->code == 0 && !tp_totals_add_g(s, &g))
        tp_state_lack_memory(r);
}

static void get_gs(struct tp_state_reader *r)
{
    struct tp_top_goroutines *gs = &r->totals->gs;
    gs->limit = tp_state_get_below(r, UINT32_MAX, "limit");
    gs->others.count = tp_state_get(r);
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        gs->others.ns[i] = tp_state_get_wide(r);
    while (tp_state_has_more(r) && r->code == 0)
        get_g(r);
}

const struct tp_section tp_section_gs = {.use = use_gs, .put = put_gs, .get = get_gs};
