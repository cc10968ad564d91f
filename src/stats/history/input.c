#include "base/alloc.h"
#include "merge/track/facts.h"
#include "stats/history/history.h"

void tp_history_input_fini(struct tp_history_input *in)
{
    tp_history_destroy(in->result);
    tp_free(in->latency.buckets.items);
    tp_map_fini(&in->numbers);
    for (uint32_t i = 0; i < in->open.count; i++)
        tp_history_task_fini(&in->open.items[i]);
    tp_free(in->open.items);
    *in = (struct tp_history_input){0};
}

size_t tp_history_input_bytes(const struct tp_history_input *in)
{
    size_t bytes = tp_history_bytes(in->result) + tp_map_bytes(&in->numbers) +
                   in->latency.buckets.capacity * sizeof *in->latency.buckets.items +
                   in->open.capacity * sizeof *in->open.items;
    for (uint32_t i = 0; i < in->open.count; i++)
        bytes += (in->open.items[i].spans.capacity + (size_t)in->open.items[i].regions.capacity) *
                 sizeof *in->open.items[i].spans.items;
    return bytes;
}

// Replaces the references of an item by numbers of the names.
static bool translate(struct tp_history_input *in, struct tp_history_item *item,
                      const struct tp_tables *tables)
{
    item->name = tp_intern_put(&in->result->names, tp_text_span(tp_fact_text(item->name, tables)));
    if (item->kind == TP_HISTORY_SPAN)
        item->reason =
            tp_intern_put(&in->result->names, tp_text_span(tp_fact_text(item->reason, tables)));
    return item->name != TP_INTERN_NONE && item->reason != TP_INTERN_NONE;
}

// THE OPEN TASKS

static bool begin_task(struct tp_history_input *in, uint64_t id)
{
    if (tp_map_get(&in->numbers, id) != TP_MAP_NONE || in->open.count == TP_HISTORY_OPEN_MAX)
        return true;
    if (!TP_LIST_ROOM(&in->open) || !tp_map_put(&in->numbers, id, in->open.count + 1))
        return false;
    in->open.items[in->open.count++] = (struct tp_history_task){.of.task = id};
    return true;
}

// A piece of a task that is not followed, or not open, is none.
static bool add_piece(struct tp_history_input *in, const struct tp_history_item *from,
                      const struct tp_tables *tables)
{
    struct tp_history_item item = *from;
    uint32_t number = tp_map_get(&in->numbers, item.task);
    if (number == TP_MAP_NONE)
        return true;
    struct tp_history_task *task = &in->open.items[number - 1];
    bool is_span = item.kind == TP_HISTORY_SPAN;
    struct tp_history_pieces *into = is_span ? &task->spans : &task->regions;
    uint32_t most = is_span ? TP_HISTORY_SPANS_MAX : TP_HISTORY_REGIONS_MAX;
    if (into->count == most && item.ns < into->items[0].ns) {
        into->omitted_count++;
        return true;
    }
    return translate(in, &item, tables) &&
           tp_history_offer(in->result, &into->as_list, most, &item, &into->omitted_count);
}

// Takes a task, by its number, out of the open ones. Its pieces are the caller's.
static bool take_open(struct tp_history_input *in, uint32_t number, struct tp_history_task *ret)
{
    struct tp_history_task *freed = &in->open.items[number - 1];
    *ret = *freed;
    *freed = in->open.items[--in->open.count];
    if (number - 1 == in->open.count)
        return true;
    (void)tp_map_remove(&in->numbers, freed->of.task);
    return tp_map_put(&in->numbers, freed->of.task, number);
}

static void place_pieces(struct tp_history_pieces *pieces, int64_t begin_ns)
{
    // All times change by as much, so the heap's order stays valid.
    for (uint32_t i = 0; i < pieces->count; i++)
        pieces->items[i].begin_ns = (int64_t)((uint64_t)pieces->items[i].begin_ns - (uint64_t)begin_ns);
}

static bool end_task(struct tp_history_input *in, const struct tp_history_item *end,
                     const struct tp_tables *tables)
{
    struct tp_history_task task;
    uint32_t number = tp_map_remove(&in->numbers, end->task);
    in->result->omitted_task_count += number == TP_MAP_NONE;
    if (number == TP_MAP_NONE)
        return true;
    if (!take_open(in, number, &task))
        return false;
    task.of = *end;
    if (!translate(in, &task.of, tables)) {
        tp_history_task_fini(&task);
        return false;
    }
    place_pieces(&task.spans, end->begin_ns);
    place_pieces(&task.regions, end->begin_ns);
    return tp_history_offer_task(in->result, &task);
}

// ADDING

static bool add_range(struct tp_history_input *in, const struct tp_history_item *from,
                      const struct tp_tables *tables)
{
    struct tp_history_item item = *from;
    struct tp_history_ranges *into = &in->result->ranges[item.kind];
    return translate(in, &item, tables) && tp_history_offer(in->result, &into->as_list, in->result->limit,
                                                            &item, &into->omitted_count);
}

static bool add_item(struct tp_history_input *in, const struct tp_history_item *item,
                     const struct tp_tables *tables)
{
    if (item->kind < TP_HISTORY_RANGES)
        return add_range(in, item, tables);
    switch ((enum tp_history_kind)item->kind) {
    case TP_HISTORY_BEGIN: return begin_task(in, item->task);
    case TP_HISTORY_TASK: return end_task(in, item, tables);
    default: return add_piece(in, item, tables);
    }
}

static bool make_result(struct tp_history_input *in, uint32_t limit)
{
    if (in->result == NULL)
        in->result = tp_alloc_zero(sizeof *in->result);
    if (in->result == NULL)
        return false;
    in->result->trace_count = 1;
    in->result->limit = limit;
    return true;
}

bool tp_history_input_add(struct tp_history_input *in, const struct tp_history_unit *u,
                          const struct tp_tables *tables, uint32_t limit)
{
    bool fits = make_result(in, limit) && tp_latency_merge(&in->latency, &u->latency);
    for (uint32_t i = 0; i < u->items.count && fits; i++)
        fits = add_item(in, &u->items.items[i], tables);
    return fits && (!tp_history_is_loose(in->result) ||
                    tp_history_pack(in->result, in->open.items, in->open.count));
}

// THE END

static int64_t less(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static void place_item(struct tp_history_item *item, const struct tp_history_place *place, uint32_t path)
{
    item->path = path;
    if (place->at.wall_ns == TP_NO_WALL_NS ||
        __builtin_add_overflow(place->at.wall_ns, less(item->begin_ns, place->at.first_ns), &item->wall_ns))
        item->wall_ns = TP_NO_WALL_NS;
    item->begin_ns = less(item->begin_ns, place->begin_ns);
}

static bool place_latency(struct tp_history_input *in, const struct tp_history_place *place)
{
    int64_t offset_ns, last_ns;
    struct tp_history *d = in->result;
    if (place->at.wall_ns != TP_NO_WALL_NS && place->at.last_ns >= place->at.first_ns &&
        !__builtin_sub_overflow(place->at.wall_ns, place->at.first_ns, &offset_ns) &&
        !__builtin_add_overflow(place->at.last_ns, offset_ns, &last_ns) &&
        !tp_latency_lay(&d->by_wall, &in->latency, place->at.first_ns, place->at.last_ns, offset_ns))
        return false;
    d->since_begin = in->latency;
    d->since_begin.first = 0;
    in->latency = (struct tp_latency){0};
    return true;
}

// Adds the levels of the trace, in buckets that are joined two by two until they are few.
static bool add_levels(struct tp_history *d, const struct tp_timeline *t,
                       const struct tp_history_place *place, uint32_t path)
{
    struct tp_history_levels levels = {.path = path,
                                       .wall_ns = place->at.wall_ns,
                                       .begin_ns = less((int64_t)((uint64_t)place->at.first_bucket << t->shift),
                                                        place->begin_ns),
                                       .shift = t->shift};
    uint32_t count = t->buckets.count;
    unsigned joined = 0;
    while (count > 0 && (count - 1) >> joined >= TP_HISTORY_BUCKETS_MAX)
        joined++;
    levels.count = count > 0 ? ((count - 1) >> joined) + 1 : 0;
    levels.shift += joined;
    levels.buckets = tp_alloc_zero((levels.count + (size_t)1) * sizeof *levels.buckets);
    if (levels.buckets == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        tp_timeline_add_bucket(&levels.buckets[i >> joined], &t->buckets.items[i]);
    if (TP_LIST_ADD(&d->levels, levels))
        return true;
    tp_free(levels.buckets);
    return false;
}

struct tp_history *tp_history_input_end(struct tp_history_input *in, const struct tp_timeline *timeline,
                                        const struct tp_history_place *place)
{
    if (!make_result(in, in->result != NULL ? in->result->limit : 0))
        return NULL;
    struct tp_history *d = in->result;
    for (uint32_t i = 0; i < in->open.count; i++)
        tp_history_task_fini(&in->open.items[i]);
    in->open.count = 0;
    if (!tp_history_pack(d, NULL, 0))
        return NULL;
    uint32_t path = tp_intern_put(&d->names, tp_span_of_text(place->path));
    if (path == TP_INTERN_NONE || !place_latency(in, place) ||
        !add_levels(d, timeline, place, path))
        return NULL;
    for (unsigned kind = 0; kind < TP_HISTORY_RANGES; kind++) {
        for (uint32_t i = 0; i < d->ranges[kind].count; i++)
            place_item(&d->ranges[kind].items[i], place, path);
    }
    for (uint32_t i = 0; i < d->tasks.count; i++)
        place_item(&d->tasks.items[i].of, place, path);
    in->result = NULL;
    return d;
}
