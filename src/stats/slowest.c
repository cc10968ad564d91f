#include "stats/slowest.h"

#include <string.h>

#include "base/sort/compare.h"
#include "stats/totals.h"

// OF A PART

void tp_slow_part_clear(struct tp_slow_part *p)
{
    p->items.count = 0;
    p->limit = (struct tp_longest){.most = p->limit.most};
}

bool tp_slow_part_add(struct tp_slow_part *p, const struct tp_slow_interval *added)
{
    static_assert(offsetof(struct tp_slow_interval, ns) == 0, "a limiter's value comes first");
    uint32_t cut_count;
    return added->ns < p->limit.least ||
           tp_longest_add(&p->limit, &p->items.as_list, sizeof *added, added, &cut_count);
}

// OF ALL

static int compare_texts(const struct tp_totals *s, struct tp_log_text a, struct tp_log_text b)
{
    return tp_totals_compare_texts(s, a.name, b.name)
        ?: tp_compare_u64(a.left_out_bytes, b.left_out_bytes);
}

static int compare_lines(const struct tp_totals *s, const struct tp_log_lines *a,
                         const struct tp_log_lines *b)
{
    int order = tp_compare_u64(a->count, b->count);
    for (uint32_t i = 0; i < a->count && order == 0; i++)
        order = tp_compare_u64(a->items[i].after_ns, b->items[i].after_ns)
            ?: compare_texts(s, a->items[i].category, b->items[i].category)
            ?: compare_texts(s, a->items[i].message, b->items[i].message);
    return order;
}

int tp_slow_compare(const struct tp_totals *s, const struct tp_slow_interval *a,
                         const struct tp_slow_interval *b)
{
    int order = tp_compare_u64(b->ns, a->ns)
        ?: tp_totals_compare_texts(s, a->path, b->path)
        ?: tp_compare_i64(a->begin_ns, b->begin_ns)
        ?: tp_compare_u64(a->id, b->id)
        ?: tp_compare_i64(a->g, b->g)
        ?: tp_compare_i64(a->wall_ns, b->wall_ns)
        ?: tp_totals_compare_texts(s, a->name, b->name);
    for (unsigned i = 0; i < TP_CLASS_COUNT && order == 0; i++)
        order = tp_compare_u64(a->parts.ns[i], b->parts.ns[i]);
    for (unsigned i = 0; i < TP_DELAY_COUNT && order == 0; i++)
        order = tp_compare_u64(a->parts.delay_ns[i], b->parts.delay_ns[i]);
    return order ?: compare_lines(s, &a->logs, &b->logs);
}

static bool goes_first(const struct tp_totals *s, const struct tp_slow_interval *a,
                       const struct tp_slow_interval *b)
{
    return tp_slow_compare(s, a, b) > 0;
}

#define HEAP_ITEM struct tp_slow_interval
#define HEAP_CTX const struct tp_totals
#include "base/sort/limiter.def"

bool tp_totals_add_slow(struct tp_totals *s, enum tp_slow_kind kind,
                        const struct tp_slow_interval *added)
{
    struct tp_slow_interval gone;
    return limiter_offer(s, &s->slow.heaps[kind].as_list, s->slow.limit, added, &gone) !=
           TP_LIMITED_NO_MEMORY;
}

void tp_totals_limit_slow(struct tp_totals *s, uint32_t limit)
{
    if (limit == 0 || (s->slow.limit > 0 && s->slow.limit <= limit))
        return;
    s->slow.limit = limit;
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++) {
        struct tp_slow_heap *heap = &s->slow.heaps[kind];
        while (heap->count > limit)
            limiter_drop_first(s, &heap->as_list);
    }
}

static void place_one(struct tp_slow_interval *of, uint32_t path, const struct tp_trace_zero *zero)
{
    bool fits = !__builtin_sub_overflow(of->begin_ns, zero->begin_ns, &of->begin_ns);
    of->path = path;
    of->wall_ns = TP_NO_WALL_NS;
    if (fits && zero->has_wall &&
        !tp_wall_ns(tp_wall_after(zero->wall, of->begin_ns), &of->wall_ns))
        of->wall_ns = TP_NO_WALL_NS;
}

void tp_totals_place_slow(struct tp_totals *s, uint32_t path, const struct tp_trace_zero *zero)
{
    // All items get the same path and shift, so the heaps' order stays valid.
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < s->slow.heaps[kind].count; i++)
            place_one(&s->slow.heaps[kind].items[i], path, zero);
    }
}
