#include "stats/top_goroutines.h"

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
    *p = (struct tp_totals_part){.items = p->items, .limit.most = p->limit.most};
    p->items.count = 0;
}

bool tp_totals_part_add(struct tp_totals_part *p, const struct tp_top_goroutine *g)
{
    static_assert(offsetof(struct tp_top_goroutine, spent_ns[TP_SPENT_RUNNING]) == 0,
                  "a limiter's value comes first");
    uint32_t cut_count;
    if (g->spent_ns[TP_SPENT_RUNNING] < p->limit.least) {
        tp_totals_others_add(&p->others, g->spent_ns);
        return true;
    }
    if (!tp_longest_add(&p->limit, &p->items.as_list, sizeof *g, g, &cut_count))
        return false;
    for (uint32_t i = 0; i < cut_count; i++)
        tp_totals_others_add(&p->others, p->items.items[p->items.count + i].spent_ns);
    return true;
}

// OF ALL

int tp_top_goroutine_compare(const struct tp_totals *s, const struct tp_top_goroutine *a,
                             const struct tp_top_goroutine *b)
{
    int order = 0;
    for (unsigned i = 0; i < TP_SPENT_COUNT && order == 0; i++)
        order = tp_compare_u64(b->spent_ns[i], a->spent_ns[i]);
    return order
        ?: tp_compare_u64(b->life_ns, a->life_ns)
        ?: tp_totals_compare_texts(s, a->path, b->path)
        ?: tp_compare_i64(a->begin_ns, b->begin_ns)
        ?: tp_compare_i64(a->id, b->id)
        ?: tp_totals_compare_texts(s, a->function, b->function);
}

static bool goes_first(const struct tp_totals *s, const struct tp_top_goroutine *a,
                       const struct tp_top_goroutine *b)
{
    return tp_top_goroutine_compare(s, a, b) > 0;
}

#define HEAP_ITEM struct tp_top_goroutine
#define HEAP_CTX const struct tp_totals
#include "base/sort/limiter.def"

bool tp_totals_add_g(struct tp_totals *s, const struct tp_top_goroutine *g)
{
    struct tp_top_goroutine gone = *g;
    enum tp_limited done = limiter_offer(s, &s->gs.heap.as_list, s->gs.limit, g, &gone);
    if (done == TP_LIMITED_REPLACED || done == TP_LIMITED_REFUSED)
        tp_totals_others_add(&s->gs.others, gone.spent_ns);
    return done != TP_LIMITED_NO_MEMORY;
}

void tp_totals_limit_gs(struct tp_totals *s, uint32_t limit)
{
    struct tp_top_goroutines *gs = &s->gs;
    if (limit == 0 || (gs->limit > 0 && gs->limit <= limit))
        return;
    gs->limit = limit;
    while (gs->heap.count > limit) {
        tp_totals_others_add(&gs->others, gs->heap.items[0].spent_ns);
        limiter_drop_first(s, &gs->heap.as_list);
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
