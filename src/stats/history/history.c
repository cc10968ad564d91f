#include "stats/history/history.h"

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "base/sort/limiter.h"

void tp_history_task_fini(struct tp_history_task *t)
{
    tp_free(t->spans.items);
    tp_free(t->regions.items);
    t->spans.items = t->regions.items = NULL;
}

void tp_history_destroy(struct tp_history *d)
{
    if (d == NULL)
        return;
    tp_intern_fini(&d->names);
    tp_free(d->since_begin.buckets.items);
    tp_free(d->by_wall.buckets.items);
    for (unsigned i = 0; i < TP_HISTORY_RANGES; i++)
        tp_free(d->ranges[i].items);
    for (uint32_t i = 0; i < d->tasks.count; i++)
        tp_history_task_fini(&d->tasks.items[i]);
    tp_free(d->tasks.items);
    for (uint32_t i = 0; i < d->levels.count; i++)
        tp_free(d->levels.items[i].buckets);
    tp_free(d->levels.items);
    tp_free(d);
}

size_t tp_history_bytes(const struct tp_history *d)
{
    if (d == NULL)
        return 0;
    size_t bytes = sizeof *d + tp_intern_bytes(&d->names) +
                   d->levels.count * (sizeof *d->levels.items +
                                      TP_HISTORY_BUCKETS_MAX * sizeof *d->levels.items->buckets) +
                   d->tasks.count * (sizeof *d->tasks.items + (TP_HISTORY_SPANS_MAX + TP_HISTORY_REGIONS_MAX) *
                                                                  sizeof *d->tasks.items->spans.items);
    for (unsigned i = 0; i < TP_HISTORY_RANGES; i++)
        bytes += d->ranges[i].count * sizeof *d->ranges[i].items;
    return bytes;
}

// THE LONGEST

// Compares two items for a sort with the longest first; returns a value below 0, 0, or above 0.
static int compare(const struct tp_history *d, const struct tp_history_item *a,
                   const struct tp_history_item *b)
{
    return tp_compare_u64(b->ns, a->ns)
        ?: tp_span_compare(tp_history_text(d, a->path), tp_history_text(d, b->path))
        ?: tp_compare_i64(a->begin_ns, b->begin_ns)
        ?: tp_compare_u64(a->task, b->task)
        ?: tp_compare_i64(a->g, b->g)
        ?: tp_compare_i64(a->wall_ns, b->wall_ns)
        ?: tp_compare_u64(a->state, b->state)
        ?: tp_span_compare(tp_history_text(d, a->name), tp_history_text(d, b->name))
        ?: tp_span_compare(tp_history_text(d, a->reason), tp_history_text(d, b->reason));
}

static bool goes_first(const struct tp_history *d, const struct tp_history_item *a,
                       const struct tp_history_item *b)
{
    return compare(d, a, b) > 0;
}

#define HEAP_ITEM struct tp_history_item
#define HEAP_CTX const struct tp_history
#include "base/sort/limiter.def"

bool tp_history_offer(const struct tp_history *d, struct tp_list *heap, uint32_t most,
                      const struct tp_history_item *item, uint64_t *omitted_count)
{
    struct tp_history_item gone;
    enum tp_limited limited = limiter_offer(d, heap, most, item, &gone);
    *omitted_count += limited == TP_LIMITED_REPLACED || limited == TP_LIMITED_REFUSED;
    return limited != TP_LIMITED_NO_MEMORY;
}

bool tp_history_offer_task(struct tp_history *d, struct tp_history_task *task)
{
    // The list has few tasks, so its first item is found by a walk.
    uint32_t last = 0;
    if (d->tasks.count < TP_HISTORY_TASKS_MAX) {
        if (TP_LIST_ADD(&d->tasks, *task))
            return true;
        tp_history_task_fini(task);
        return false;
    }
    for (uint32_t i = 1; i < d->tasks.count; i++)
        last = goes_first(d, &d->tasks.items[i].of, &d->tasks.items[last].of) ? i : last;
    if (goes_first(d, &d->tasks.items[last].of, &task->of)) {
        struct tp_history_task gone = d->tasks.items[last];
        d->tasks.items[last] = *task;
        *task = gone;
    }
    tp_history_task_fini(task);
    return true;
}

// SORTING

static int compare_items(const void *a, const void *b, void *d)
{
    return compare(d, a, b);
}

static int compare_times(const void *left, const void *right, void *d)
{
    const struct tp_history_item *a = left, *b = right;
    return tp_compare_i64(a->begin_ns, b->begin_ns) ?: compare(d, a, b);
}

static int compare_levels(const void *left, const void *right, void *d)
{
    const struct tp_history_levels *a = left, *b = right;
    return tp_span_compare(tp_history_text(d, a->path), tp_history_text(d, b->path))
        ?: tp_compare_i64(a->wall_ns, b->wall_ns);
}

void tp_history_sort(struct tp_history *d)
{
    static_assert(offsetof(struct tp_history_task, of) == 0, "compare_items sorts tasks, too");
    if (d == NULL)
        return;
    for (unsigned i = 0; i < TP_HISTORY_RANGES; i++)
        TP_LIST_SORT_BY(&d->ranges[i], compare_items, d);
    TP_LIST_SORT_BY(&d->tasks, compare_items, d);
    TP_LIST_SORT_BY(&d->levels, compare_levels, d);
    for (uint32_t i = 0; i < d->tasks.count; i++) {
        struct tp_history_task *task = &d->tasks.items[i];
        TP_LIST_SORT_BY(&task->spans, compare_times, d);
        TP_LIST_SORT_BY(&task->regions, compare_times, d);
    }
}
