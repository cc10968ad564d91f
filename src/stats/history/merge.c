#include <string.h>

#include "base/alloc.h"
#include "stats/history/history.h"

// NUMBERS OF NAMES

// Replaces numbers of names by numbers[number], or only marks which ones are used.
struct renumbering {
    uint32_t *numbers;
    bool only_marks;
};

static void renumber(const struct renumbering *r, uint32_t *name)
{
    if (r->only_marks)
        r->numbers[*name] = *name;
    else
        *name = r->numbers[*name];
}

static void renumber_items(const struct renumbering *r, struct tp_history_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        renumber(r, &items[i].name);
        if (items[i].kind == TP_HISTORY_SPAN)
            renumber(r, &items[i].reason);
    }
}

static void renumber_pieces(const struct renumbering *r, struct tp_history_task *task)
{
    renumber_items(r, task->spans.items, task->spans.count);
    renumber_items(r, task->regions.items, task->regions.count);
}

static void renumber_all(const struct renumbering *r, struct tp_history *d)
{
    for (unsigned kind = 0; kind < TP_HISTORY_RANGES; kind++) {
        renumber_items(r, d->ranges[kind].items, d->ranges[kind].count);
        for (uint32_t i = 0; i < d->ranges[kind].count; i++)
            renumber(r, &d->ranges[kind].items[i].path);
    }
    for (uint32_t i = 0; i < d->tasks.count; i++) {
        renumber_items(r, &d->tasks.items[i].of, 1);
        renumber(r, &d->tasks.items[i].of.path);
        renumber_pieces(r, &d->tasks.items[i]);
    }
    for (uint32_t i = 0; i < d->levels.count; i++)
        renumber(r, &d->levels.items[i].path);
}

bool tp_history_pack(struct tp_history *d, struct tp_history_task *open, uint32_t open_count)
{
    struct renumbering r = {tp_alloc_array(d->names.count + (size_t)1, sizeof *r.numbers), true};
    bool fits = r.numbers != NULL;
    if (fits)
        memset(r.numbers, 0xff, (d->names.count + (size_t)1) * sizeof *r.numbers); // TP_INTERN_NONE
    for (unsigned pass = 0; pass < 2 && fits; pass++) {
        renumber_all(&r, d);
        for (uint32_t i = 0; i < open_count; i++)
            renumber_pieces(&r, &open[i]);
        if (r.only_marks)
            fits = tp_intern_pack(&d->names, r.numbers);
        r.only_marks = false;
    }
    tp_free(r.numbers);
    d->packed_bytes = d->names.text_bytes;
    return fits;
}

// MERGING

static bool copy_pieces(struct tp_history_pieces *to, const struct tp_history_pieces *from,
                        const struct renumbering *r)
{
    to->omitted_count = from->omitted_count;
    for (uint32_t i = 0; i < from->count; i++) {
        if (!TP_LIST_ADD(to, from->items[i]))
            return false;
    }
    renumber_items(r, to->items, to->count);
    return true;
}

static bool merge_tasks(struct tp_history *into, const struct tp_history *from, const struct renumbering *r)
{
    for (uint32_t i = 0; i < from->tasks.count; i++) {
        const struct tp_history_task *task = &from->tasks.items[i];
        struct tp_history_task copy = {.of = task->of};
        renumber_items(r, &copy.of, 1);
        renumber(r, &copy.of.path);
        if (!copy_pieces(&copy.spans, &task->spans, r) || !copy_pieces(&copy.regions, &task->regions, r)) {
            tp_history_task_fini(&copy);
            return false;
        }
        if (!tp_history_offer_task(into, &copy))
            return false;
    }
    return true;
}

static bool merge_levels(struct tp_history *into, const struct tp_history *from, const struct renumbering *r)
{
    for (uint32_t i = 0; i < from->levels.count; i++) {
        struct tp_history_levels copy = from->levels.items[i];
        size_t bytes = copy.count * sizeof *copy.buckets;
        renumber(r, &copy.path);
        copy.buckets = tp_alloc(bytes + 1);
        if (copy.buckets == NULL)
            return false;
        memcpy(copy.buckets, from->levels.items[i].buckets, bytes);
        if (!TP_LIST_ADD(&into->levels, copy)) {
            tp_free(copy.buckets);
            return false;
        }
    }
    return true;
}

static bool merge_ranges(struct tp_history *into, const struct tp_history *from, const struct renumbering *r)
{
    bool fits = true;
    for (unsigned kind = 0; kind < TP_HISTORY_RANGES; kind++) {
        struct tp_history_ranges *to = &into->ranges[kind];
        to->omitted_count += from->ranges[kind].omitted_count;
        for (uint32_t i = 0; i < from->ranges[kind].count && fits; i++) {
            struct tp_history_item item = from->ranges[kind].items[i];
            renumber_items(r, &item, 1);
            renumber(r, &item.path);
            fits = tp_history_offer(into, &to->as_list, into->limit, &item, &to->omitted_count);
        }
    }
    return fits;
}

bool tp_history_merge(struct tp_history **into, const struct tp_history *from)
{
    if (from == NULL)
        return true;
    if (*into == NULL)
        *into = tp_alloc_zero(sizeof **into);
    struct renumbering r = {tp_alloc_array(from->names.count + (size_t)1, sizeof *r.numbers), false};
    struct tp_history *to = *into;
    bool fits = to != NULL && r.numbers != NULL;
    for (uint32_t i = 0; i < from->names.count && fits; i++) {
        r.numbers[i] = tp_intern_put(&to->names, tp_intern_text(&from->names, i));
        fits = r.numbers[i] != TP_INTERN_NONE;
    }
    if (fits) {
        to->trace_count = tp_add_limited(to->trace_count, from->trace_count);
        to->omitted_task_count = tp_add_limited(to->omitted_task_count, from->omitted_task_count);
        to->limit = to->limit == 0 || from->limit < to->limit ? from->limit : to->limit;
        fits = tp_latency_merge(&to->since_begin, &from->since_begin) &&
               tp_latency_merge(&to->by_wall, &from->by_wall) && merge_ranges(to, from, &r) &&
               merge_tasks(to, from, &r) && merge_levels(to, from, &r);
    }
    tp_free(r.numbers);
    return fits && (!tp_history_is_loose(to) || tp_history_pack(to, NULL, 0));
}
