#include "stats/summary/items.h"

_Static_assert(sizeof(struct tp_item_region) + 2 * TP_TIME_LIST_MAX * sizeof(struct tp_named_ns) +
                       TP_KIB(64) <= TP_SORTER_ITEM_MAX_BYTES,
               "any item fits into a sorter");

// Adds an item, unless there was a failure before.
static void put(struct tp_sorter *to, struct tp_sorter_key key, const struct tp_span *parts,
                size_t part_count, struct tp_summary_status *st)
{
    if (st->code == 0)
        st->code = tp_sorter_put(to, &key, parts, part_count, st->err);
}

static struct tp_item_times times_of(const struct tp_times *t)
{
    return (struct tp_item_times){t->sums, t->blocks.count, t->ranges.count};
}

static struct tp_span list_span(const struct tp_time_list *l)
{
    return tp_span_of(l->items, l->count * sizeof *l->items);
}

static uint64_t age_of(const struct tp_summary_goroutine *g, enum tp_goroutine_section section)
{
    return ~g->number << 1 | section;
}

void tp_summary_put_goroutine(struct tp_summary_items *s, const struct tp_summary_goroutine *g,
                              struct tp_summary_status *st)
{
    struct tp_sorter_key key = {{tp_sorter_word_of(g->id), age_of(g, TP_GOROUTINE_RECORD)}};
    struct tp_item_goroutine item = {.id = g->id,
                                     .creation_ns = g->creation_ns,
                                     .start_ns = g->start_ns,
                                     .end_ns = g->end_ns,
                                     .has_parent = g->has_parent,
                                     .parent = g->parent,
                                     .name = g->name,
                                     .pc = g->pc,
                                     .times = times_of(&g->times)};
    struct tp_span parts[] = {tp_span_of(&item, sizeof item), list_span(&g->times.blocks),
                              list_span(&g->times.ranges)};
    put(&s->goroutines, key, parts, TP_ARRAY_LEN(parts), st);
}

// Returns the sort key of a region's beginning or end. An unknown time sorts as -1.
static uint64_t rank(uint64_t is_known, int64_t time_ns)
{
    return tp_sorter_word_of(is_known ? time_ns : -1);
}

static void put_region(struct tp_sorter *to, struct tp_sorter_key key,
                       const struct tp_region_result *r, struct tp_summary_status *st)
{
    struct tp_item_region item = r->item;
    key.words[2] = rank(item.has_start, item.start_ns);
    key.words[3] = rank(item.has_end, item.end_ns);
    item.name_bytes = r->name.len_bytes;
    item.times = times_of(r->times);
    struct tp_span parts[] = {tp_span_of(&item, sizeof item), list_span(&r->times->blocks),
                              list_span(&r->times->ranges), r->name};
    put(to, key, parts, TP_ARRAY_LEN(parts), st);
}

void tp_summary_put_goroutine_region(struct tp_summary_items *s,
                                     const struct tp_summary_goroutine *g,
                                     const struct tp_region_result *r, struct tp_summary_status *st)
{
    struct tp_sorter_key key = {{tp_sorter_word_of(g->id), age_of(g, TP_GOROUTINE_REGION)}};
    put_region(&s->goroutines, key, r, st);
}

void tp_summary_put_task_region(struct tp_summary_items *s, const struct tp_region_result *r,
                                struct tp_summary_status *st)
{
    put_region(&s->tasks, (struct tp_sorter_key){{r->item.task, TP_TASK_REGION}}, r, st);
}

void tp_summary_put_task_event(struct tp_summary_items *s, uint64_t order, bool is_end,
                               int64_t time_ns, const struct tp_task_event *t,
                               struct tp_summary_status *st)
{
    struct tp_sorter_key key = {{t->id, TP_TASK_EVENT, order}};
    struct tp_item_task_event item = {.is_end = is_end,
                                      .time_ns = time_ns,
                                      .parent = t->parent,
                                      .name_bytes = t->name.len_bytes};
    struct tp_span parts[] = {tp_span_of(&item, sizeof item), tp_text_span(t->name)};
    put(&s->tasks, key, parts, TP_ARRAY_LEN(parts), st);
}

void tp_summary_put_task_child(struct tp_summary_items *s, uint64_t task, uint64_t child,
                               struct tp_summary_status *st)
{
    struct tp_sorter_key key = {{task, TP_TASK_CHILD, child}};
    put(&s->tasks, key, NULL, 0, st);
}

void tp_summary_put_task_goroutine(struct tp_summary_items *s, uint64_t task, int64_t goroutine,
                                   struct tp_summary_status *st)
{
    struct tp_sorter_key key = {{task, TP_TASK_GOROUTINE, tp_sorter_word_of(goroutine)}};
    put(&s->tasks, key, NULL, 0, st);
}

void tp_summary_put_task_log(struct tp_summary_items *s, uint64_t order, int64_t time_ns,
                             int64_t goroutine, const struct tp_log *l,
                             struct tp_summary_status *st)
{
    struct tp_sorter_key key = {{l->task, TP_TASK_LOG, order}};
    struct tp_item_log item = {.time_ns = time_ns,
                               .goroutine = goroutine,
                               .category_bytes = l->category.len_bytes,
                               .message_bytes = l->message.len_bytes};
    struct tp_span parts[] = {tp_span_of(&item, sizeof item), tp_text_span(l->category),
                              tp_text_span(l->message)};
    put(&s->tasks, key, parts, TP_ARRAY_LEN(parts), st);
}
