#include "stats/top_goroutines.h"

#include <stdlib.h>

#include "base/sort/compare.h"
#include "stats/totals.h"

void tp_totals_others_add(struct tp_totals_others *o, const uint64_t spent_ns[TP_SPENT_COUNT])
{
    o->count++;
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        o->ns[i] = tp_wide_add(o->ns[i], spent_ns[i]);
}

void tp_totals_others_join(struct tp_totals_others *into, const struct tp_totals_others *from)
{
    into->count += from->count;
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        into->ns[i] = tp_wide_add(into->ns[i], from->ns[i]);
}

// OF A PART

void tp_totals_part_clear(struct tp_totals_part *p)
{
    *p = (struct tp_totals_part){.items = p->items, .limit = p->limit};
    p->items.count = 0;
}

static int longest_first(const void *left, const void *right)
{
    const struct tp_top_goroutine *a = left, *b = right;
    return tp_compare_u64(b->spent_ns[TP_SPENT_RUNNING], a->spent_ns[TP_SPENT_RUNNING]);
}

static void leave_out_short(struct tp_totals_part *p)
{
    const struct tp_top_goroutine *items = p->items.items;
    qsort(p->items.items, p->items.count, sizeof *items, longest_first);
    p->least_ns = items[p->limit - 1].spent_ns[TP_SPENT_RUNNING];
    while (items[p->items.count - 1].spent_ns[TP_SPENT_RUNNING] < p->least_ns)
        tp_totals_others_add(&p->others, items[--p->items.count].spent_ns);
}

bool tp_totals_part_add(struct tp_totals_part *p, const struct tp_top_goroutine *g)
{
    if (g->spent_ns[TP_SPENT_RUNNING] < p->least_ns) {
        tp_totals_others_add(&p->others, g->spent_ns);
        return true;
    }
    if (!TP_LIST_ADD(&p->items, *g))
        return false;
    if (p->limit > 0 && p->items.count >= 2 * (size_t)p->limit && p->items.count >= p->full_count) {
        leave_out_short(p);
        // All goroutines that ran exactly least_ns stay, so there may be more than `limit` now.
        // Wait until the list has doubled, lest it be sorted for each of them.
        p->full_count = 2 * p->items.count;
    }
    return true;
}

// OF ALL

int tp_top_goroutine_compare(const struct tp_totals *s, const struct tp_top_goroutine *a,
                             const struct tp_top_goroutine *b)
{
    int order = 0;
    for (unsigned i = 0; i < TP_SPENT_COUNT && order == 0; i++)
        order = tp_compare_u64(b->spent_ns[i], a->spent_ns[i]);
    if (order == 0)
        order = tp_compare_u64(b->life_ns, a->life_ns);
    if (order == 0)
        order = tp_span_compare(tp_totals_text(s, a->path), tp_totals_text(s, b->path));
    if (order == 0)
        order = tp_compare_i64(a->begin_ns, b->begin_ns);
    if (order == 0)
        order = tp_compare_i64(a->id, b->id);
    return order != 0 ? order
                      : tp_span_compare(tp_totals_text(s, a->function), tp_totals_text(s, b->function));
}

static bool goes_first(const struct tp_totals *s, const struct tp_top_goroutine *a,
                       const struct tp_top_goroutine *b)
{
    return tp_top_goroutine_compare(s, a, b) > 0;
}

#define HEAP_ITEM struct tp_top_goroutine
#define HEAP_CTX const struct tp_totals
#include "base/sort/heap.def"

bool tp_totals_add_g(struct tp_totals *s, const struct tp_top_goroutine *g)
{
    struct tp_top_goroutines *gs = &s->gs;
    if (gs->limit == 0 || gs->heap.count < gs->limit) {
        if (!TP_LIST_ROOM(&gs->heap))
            return false;
        heap_push(s, gs->heap.items, gs->heap.count++, g);
        return true;
    }
    if (goes_first(s, g, &gs->heap.items[0])) {
        tp_totals_others_add(&gs->others, g->spent_ns);
        return true;
    }
    tp_totals_others_add(&gs->others, gs->heap.items[0].spent_ns);
    heap_replace_first(s, gs->heap.items, gs->heap.count, g);
    return true;
}

void tp_totals_limit_gs(struct tp_totals *s, uint32_t limit)
{
    struct tp_top_goroutines *gs = &s->gs;
    if (limit == 0 || (gs->limit > 0 && gs->limit <= limit))
        return;
    gs->limit = limit;
    while (gs->heap.count > limit) {
        tp_totals_others_add(&gs->others, gs->heap.items[0].spent_ns);
        gs->heap.count--;
        heap_replace_first(s, gs->heap.items, gs->heap.count, &gs->heap.items[gs->heap.count]);
    }
}

void tp_totals_place_gs(struct tp_totals *s, uint32_t path, int64_t first_ns)
{
    // All items get the same path and shift, so the heap's order stays valid.
    for (uint32_t i = 0; i < s->gs.heap.count; i++) {
        s->gs.heap.items[i].path = path;
        s->gs.heap.items[i].begin_ns -= first_ns;
    }
}
