// Sections of a state: the slowest tasks and regions one by one.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "stats/state/section.h"

static void use_lines(struct tp_state_writer *w, const struct tp_log_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        tp_state_use(w, TP_STATE_NAME, lines->items[i].category.name);
        tp_state_use(w, TP_STATE_NAME, lines->items[i].message.name);
    }
}

static void use_kind(struct tp_state_writer *w, enum tp_slow_kind kind)
{
    const struct tp_slow_heap *heap = &w->totals->slow.heaps[kind];
    for (uint32_t i = 0; i < heap->count; i++) {
        tp_state_use(w, TP_STATE_NAME, heap->items[i].path);
        tp_state_use(w, TP_STATE_NAME, heap->items[i].name);
        use_lines(w, &heap->items[i].logs);
    }
}

static int compare(const void *left, const void *right, void *ctx)
{
    const struct tp_state_writer *w = ctx;
    return tp_slow_compare(w->totals, left, right);
}

static void put_text(struct tp_state_writer *w, struct tp_log_text text)
{
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, text.name));
    tp_state_put(w, text.left_out_bytes);
}

static void put_lines(struct tp_state_writer *w, const struct tp_log_lines *lines)
{
    tp_state_put(w, lines->count);
    for (uint32_t i = 0; i < lines->count; i++) {
        tp_state_put(w, lines->items[i].after_ns);
        put_text(w, lines->items[i].category);
        put_text(w, lines->items[i].message);
    }
}

static void put_one(struct tp_state_writer *w, enum tp_slow_kind kind,
                    const struct tp_slow_interval *of)
{
    bool has_wall = of->wall_ns != TP_SLOW_NO_WALL;
    tp_state_put(w, (uint64_t)of->begin_ns);
    tp_state_put(w, has_wall);
    tp_state_put(w, has_wall ? (uint64_t)of->wall_ns : 0);
    if (kind == TP_SLOW_TASK)
        tp_state_put(w, of->id);
    tp_state_put(w, (uint64_t)of->g);
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, of->name));
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, of->path));
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        tp_state_put(w, of->parts.ns[i]);
    tp_state_put(w, of->parts.assist_ns);
    if (kind == TP_SLOW_TASK)
        put_lines(w, &of->logs);
}

// Puts those of one kind, the slowest first.
static void put_kind(struct tp_state_writer *w, enum tp_slow_kind kind)
{
    const struct tp_slow_heap *heap = &w->totals->slow.heaps[kind];
    struct tp_slow_interval *sorted = tp_state_items(w, heap->count, sizeof *sorted);
    if (sorted == NULL)
        return;
    if (heap->count > 0)
        memcpy(sorted, heap->items, heap->count * sizeof *sorted);
    qsort_r(sorted, heap->count, sizeof *sorted, compare, w);
    for (uint32_t i = 0; i < heap->count; i++)
        put_one(w, kind, &sorted[i]);
    tp_free(sorted);
}

// Reads the time of each class, which add up to the duration of the task.
static void get_parts(struct tp_state_reader *r, struct tp_slow_interval *of)
{
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        of->parts.ns[i] = tp_state_get(r);
        if (__builtin_add_overflow(of->ns, of->parts.ns[i], &of->ns))
            tp_state_refuse(r, "a task or region longer than any trace");
    }
    of->parts.assist_ns = tp_state_get(r);
    if (r->code == 0 && of->parts.assist_ns > of->ns)
        tp_state_refuse(r, "a task or region with more assist time than total time");
}

static struct tp_log_text get_text(struct tp_state_reader *r)
{
    const struct tp_intern *names = &r->totals->names;
    struct tp_log_text text = {.name = tp_state_get_below(r, names->count, "name")};
    text.left_out_bytes = tp_state_get_below(r, UINT32_MAX, "length");
    if (r->code == 0 && tp_intern_text(names, text.name).len_bytes > TP_LOG_TEXT_BYTES)
        tp_state_refuse(r, "a log line that is too long");
    return text;
}

static void get_lines(struct tp_state_reader *r, struct tp_slow_interval *of)
{
    struct tp_log_lines *lines = &of->logs;
    lines->count = tp_state_get_below(r, TP_LOG_LINES_MAX + 1, "log line");
    for (uint32_t i = 0; i < lines->count && r->code == 0; i++) {
        struct tp_log_line *line = &lines->items[i];
        line->after_ns = tp_state_get(r);
        if (line->after_ns > of->ns)
            tp_state_refuse(r, "a log line after its task");
        line->category = get_text(r);
        line->message = get_text(r);
    }
}

static void get_one(struct tp_state_reader *r, enum tp_slow_kind kind)
{
    struct tp_totals *s = r->totals;
    struct tp_slow_interval of = {.begin_ns = (int64_t)tp_state_get(r)};
    bool has_wall = tp_state_get_below(r, 2, "time of day") == 1;
    of.wall_ns = (int64_t)tp_state_get(r);
    if (r->code == 0 && (has_wall ? of.wall_ns == TP_SLOW_NO_WALL : of.wall_ns != 0))
        tp_state_refuse(r, "an invalid time of day");
    of.wall_ns = has_wall ? of.wall_ns : TP_SLOW_NO_WALL;
    if (kind == TP_SLOW_TASK)
        of.id = tp_state_get(r);
    of.g = (int64_t)tp_state_get(r);
    of.name = tp_state_get_below(r, s->names.count, "name");
    of.path = tp_state_get_below(r, s->names.count, "name");
    get_parts(r, &of);
    if (kind == TP_SLOW_TASK)
        get_lines(r, &of);
    if (r->code == 0 && s->slow.limit > 0 && s->slow.heaps[kind].count == s->slow.limit)
        tp_state_refuse(r, "more tasks or regions than the limit");
    if (r->code == 0 && !tp_totals_add_slow(s, kind, &of))
        tp_state_lack_memory(r);
}

static void get_kind(struct tp_state_reader *r, enum tp_slow_kind kind)
{
    while (tp_state_has_more(r) && r->code == 0)
        get_one(r, kind);
}

// TASKS

static void use_tasks(struct tp_state_writer *w)
{
    use_kind(w, TP_SLOW_TASK);
}

static void put_tasks(struct tp_state_writer *w)
{
    const struct tp_slowest *slow = &w->totals->slow;
    if (slow->limit == 0 && slow->heaps[TP_SLOW_TASK].count == 0)
        return;
    tp_state_put(w, slow->limit);
    put_kind(w, TP_SLOW_TASK);
}

static void get_tasks(struct tp_state_reader *r)
{
    r->totals->slow.limit = tp_state_get_below(r, UINT32_MAX, "limit");
    get_kind(r, TP_SLOW_TASK);
}

const struct tp_section tp_section_slow = {.use = use_tasks, .put = put_tasks, .get = get_tasks};

// REGIONS

static void use_regions(struct tp_state_writer *w)
{
    use_kind(w, TP_SLOW_REGION);
}

static void put_regions(struct tp_state_writer *w)
{
    put_kind(w, TP_SLOW_REGION);
}

static void get_regions(struct tp_state_reader *r)
{
    get_kind(r, TP_SLOW_REGION);
}

const struct tp_section tp_section_slow_regions = {
    .use = use_regions, .put = put_regions, .get = get_regions};
