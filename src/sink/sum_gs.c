#include "sink/sum_gs.h"

#include "base/alloc.h"
#include "base/compare.h"
#include "sink/sums.h"

void tp_sum_gs_fini(struct tp_sum_gs *gs)
{
    tp_free(gs->heap.items);
    *gs = (struct tp_sum_gs){0};
}

static struct tp_span text_of(const struct tp_sums *s, uint32_t name)
{
    return name != TP_INTERN_NONE ? tp_intern_text(&s->names, name) : tp_span_of("", 0);
}

int tp_sum_g_compare(const struct tp_sums *s, const struct tp_sum_g *a,
                     const struct tp_sum_g *b)
{
    int order = 0;
    for (unsigned i = 0; i < TP_SPENT_COUNT && order == 0; i++)
        order = tp_compare_u64(b->spent_ns[i], a->spent_ns[i]);
    if (order == 0)
        order = tp_compare_u64(b->life_ns, a->life_ns);
    if (order == 0)
        order = tp_span_compare(text_of(s, a->path), text_of(s, b->path));
    if (order == 0)
        order = tp_compare_i64(a->begin_ns, b->begin_ns);
    if (order == 0)
        order = tp_compare_i64(a->id, b->id);
    return order != 0 ? order
                      : tp_span_compare(text_of(s, a->function), text_of(s, b->function));
}

static bool goes_first(const struct tp_sums *s, const struct tp_sum_g *a,
                       const struct tp_sum_g *b)
{
    return tp_sum_g_compare(s, a, b) > 0;
}

static void sift_up(struct tp_sums *s, uint32_t at)
{
    struct tp_sum_g *heap = s->gs.heap.items, moved = heap[at];
    for (; at > 0 && goes_first(s, &moved, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

static void sift_down(struct tp_sums *s)
{
    struct tp_sum_g *heap = s->gs.heap.items, moved = heap[0];
    uint32_t at = 0, count = s->gs.heap.count;
    for (uint32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && goes_first(s, &heap[child + 1], &heap[child]))
            child++;
        if (!goes_first(s, &heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

void tp_sum_gs_add_other(struct tp_sum_gs *gs, const uint64_t spent_ns[TP_SPENT_COUNT])
{
    gs->other_count++;
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        gs->other_ns[i] += spent_ns[i];
}

bool tp_sums_add_g(struct tp_sums *s, const struct tp_sum_g *g)
{
    struct tp_sum_gs *gs = &s->gs;
    if (gs->limit == 0 || gs->heap.count < gs->limit) {
        if (!TP_LIST_ROOM(&gs->heap))
            return false;
        gs->heap.items[gs->heap.count++] = *g;
        sift_up(s, gs->heap.count - 1);
        return true;
    }
    if (goes_first(s, g, &gs->heap.items[0])) {
        tp_sum_gs_add_other(gs, g->spent_ns);
        return true;
    }
    tp_sum_gs_add_other(gs, gs->heap.items[0].spent_ns);
    gs->heap.items[0] = *g;
    sift_down(s);
    return true;
}

void tp_sums_limit_gs(struct tp_sums *s, uint32_t limit)
{
    struct tp_sum_gs *gs = &s->gs;
    if (limit == 0 || (gs->limit > 0 && gs->limit <= limit))
        return;
    gs->limit = limit;
    while (gs->heap.count > limit) {
        tp_sum_gs_add_other(gs, gs->heap.items[0].spent_ns);
        gs->heap.items[0] = gs->heap.items[--gs->heap.count];
        sift_down(s);
    }
}

void tp_sums_place_gs(struct tp_sums *s, uint32_t path, int64_t first_ns)
{
    // All of them get the same, so the heap stays one.
    for (uint32_t i = 0; i < s->gs.heap.count; i++) {
        s->gs.heap.items[i].path = path;
        s->gs.heap.items[i].begin_ns -= first_ns;
    }
}
