// Prints the history of the inputs (stats/history/history.h) in JSON.
#include <stddef.h>
#include <string.h>

#include "sink/span_states.h"
#include "sink/stats/report/parts.h"

// Buckets of the levels of all traces together. If there are more, those of each trace are joined two by
// two, but not below BUCKETS_LEAST.
#define BUCKETS_OF_ALL 65536
#define BUCKETS_LEAST 4

// LATENCY

static void put_counts(struct tp_emit *e, const struct tp_latency_bucket *b)
{
    tp_fields_open(e, "counts", '[');
    for (unsigned row = 0; row < TP_LATENCY_ROWS; row++)
        tp_field_wide(e, NULL, b->counts[row]);
    tp_fields_close(e, '[');
    tp_fields_close(e, '{');
}

// Puts the buckets that count anything.
static void put_buckets(struct tp_emit *e, const struct tp_latency *l, bool is_wall)
{
    static const struct tp_latency_bucket nothing;
    tp_fields_open(e, is_wall ? "wall_buckets" : "buckets", '[');
    for (uint32_t i = 0; i < l->buckets.count; i++) {
        int64_t begin_ns = (int64_t)((uint64_t)(l->first + i) << l->shift);
        if (memcmp(&l->buckets.items[i], &nothing, sizeof nothing) == 0)
            continue;
        tp_fields_open_line(e, NULL, '{');
        if (is_wall)
            tp_field_wall_ns(e, "wall_start", begin_ns);
        else
            tp_field_i64(e, "begin_ns", begin_ns);
        put_counts(e, &l->buckets.items[i]);
    }
    tp_fields_close(e, '[');
}

static uint64_t width_of(const struct tp_latency *l)
{
    return l->buckets.count > 0 ? UINT64_C(1) << l->shift : 0;
}

static void put_latency(struct tp_emit *e, const struct tp_history *d)
{
    tp_fields_open_line(e, "latency", '{');
    tp_field_wide(e, "bucket_ns", width_of(&d->since_begin));
    tp_field_wide(e, "clock_bucket_ns", width_of(&d->by_wall));
    tp_fields_open(e, "rows_from_ns", '[');
    for (unsigned row = 0; row < TP_LATENCY_ROWS; row++)
        tp_field_wide(e, NULL, tp_latency_row_ns(row));
    tp_fields_close(e, '[');
    put_buckets(e, &d->since_begin, false);
    put_buckets(e, &d->by_wall, true);
    tp_fields_close(e, '{');
}

// ITEMS

// Puts an array of items, each of which stands at the beginning of `item_bytes` bytes.
static void put_items(struct tp_emit *e, const struct tp_history *d, const char *key,
                      const struct tp_list *list, size_t item_bytes,
                      void (*put)(struct tp_emit *e, const struct tp_history *d,
                                  const struct tp_history_item *item))
{
    tp_fields_open_line(e, key, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        tp_fields_open_line(e, NULL, '{');
        put(e, d, (const struct tp_history_item *)((const char *)list->items + i * item_bytes));
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_goroutine(struct tp_emit *e, const struct tp_history_item *i)
{
    tp_field_known_i64(e, "goroutine", i->g != TP_NO_GOROUTINE, i->g);
}

static void put_range(struct tp_emit *e, const struct tp_history *d, const struct tp_history_item *i)
{
    tp_field_span(e, "trace", tp_history_text(d, i->path));
    tp_field_i64(e, "begin_ns", i->begin_ns);
    tp_field_wall_ns(e, "wall_start", i->wall_ns);
    tp_field_wide(e, "duration_ns", i->ns);
    if (i->kind == TP_HISTORY_MARK)
        return;
    tp_field_span(e, "reason", tp_history_text(d, i->name));
    put_goroutine(e, i);
}

static void put_piece(struct tp_emit *e, const struct tp_history *d, const struct tp_history_item *i)
{
    put_goroutine(e, i);
    if (i->kind == TP_HISTORY_SPAN) {
        tp_field_span(e, "function", tp_history_text(d, i->name));
        tp_field_text(e, "state", tp_span_state_word(i->state));
        tp_field_span(e, "reason", tp_history_text(d, i->reason));
    } else {
        tp_field_span(e, "name", tp_history_text(d, i->name));
    }
    tp_field_i64(e, "begin_ns", i->begin_ns);
    tp_field_wide(e, "duration_ns", i->ns);
}

static void put_pieces(struct tp_emit *e, const struct tp_history *d, const char *key,
                       const char *omitted_key, const struct tp_history_pieces *p)
{
    put_items(e, d, key, &p->as_list, sizeof *p->items, put_piece);
    tp_field_wide(e, omitted_key, p->omitted_count);
}

static void put_task(struct tp_emit *e, const struct tp_history *d, const struct tp_history_item *i)
{
    static_assert(offsetof(struct tp_history_task, of) == 0, "a pointer to one is a pointer to the other");
    const struct tp_history_task *task = (const struct tp_history_task *)i;
    tp_field_span(e, "trace", tp_history_text(d, i->path));
    tp_field_wide(e, "id", i->task);
    tp_field_span(e, "name", tp_history_text(d, i->name));
    tp_field_i64(e, "begin_ns", i->begin_ns);
    tp_field_wide(e, "duration_ns", i->ns);
    put_pieces(e, d, "spans", "omitted_span_count", &task->spans);
    put_pieces(e, d, "regions", "omitted_region_count", &task->regions);
}

static void put_ranges(struct tp_emit *e, const struct tp_history *d, const char *key,
                       const char *omitted_key, const struct tp_history_ranges *ranges)
{
    put_items(e, d, key, &ranges->as_list, sizeof *ranges->items, put_range);
    tp_field_wide(e, omitted_key, ranges->omitted_count);
}

// LEVELS

static void put_levels_of(struct tp_emit *e, const struct tp_history *d, const struct tp_history_levels *l,
                          uint32_t most)
{
    struct tp_timeline_bucket joined[TP_HISTORY_BUCKETS_MAX] = {0};
    unsigned shift = 0;
    while (l->count > 0 && (l->count - 1) >> shift >= most)
        shift++;
    for (uint32_t i = 0; i < l->count; i++)
        tp_timeline_add_bucket(&joined[i >> shift], &l->buckets[i]);
    tp_fields_open_line(e, NULL, '{');
    tp_field_span(e, "trace", tp_history_text(d, l->path));
    tp_field_wall_ns(e, "wall_start", l->wall_ns);
    tp_field_i64(e, "begin_ns", l->begin_ns);
    tp_field_wide(e, "bucket_ns", l->count > 0 ? UINT64_C(1) << (l->shift + shift) : 0);
    tp_full_put_level_values(e, joined, l->count > 0 ? ((l->count - 1) >> shift) + 1 : 0);
    tp_fields_close(e, '{');
}

static void put_levels(struct tp_emit *e, const struct tp_history *d)
{
    uint32_t most = TP_HISTORY_BUCKETS_MAX;
    while (most > BUCKETS_LEAST && (uint64_t)most * d->levels.count > BUCKETS_OF_ALL)
        most /= 2;
    tp_full_put_level_keys(e);
    tp_fields_open_line(e, "levels", '[');
    for (uint32_t i = 0; i < d->levels.count; i++)
        put_levels_of(e, d, &d->levels.items[i], most);
    tp_fields_close(e, '[');
}

void tp_full_put_history(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_history nothing;
    const struct tp_history *d = r->totals->history != NULL ? r->totals->history : &nothing;
    if (!r->has_detail)
        return;
    tp_fields_open_line(e, "detail", '{');
    tp_field_wide(e, "trace_count", d->trace_count);
    put_latency(e, d);
    put_ranges(e, d, "longest_pauses", "omitted_pause_count", &d->ranges[TP_HISTORY_PAUSE]);
    put_ranges(e, d, "longest_mark_phases", "omitted_mark_phase_count", &d->ranges[TP_HISTORY_MARK]);
    put_levels(e, d);
    put_items(e, d, "slowest_tasks", &d->tasks.as_list, sizeof *d->tasks.items, put_task);
    tp_field_wide(e, "omitted_task_count", d->omitted_task_count);
    tp_fields_close(e, '{');
}
