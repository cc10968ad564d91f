// Section of a state: the slowest tasks one by one.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "stats/state/section.h"

static void use_lines(struct tp_state_writer *w, const struct tp_log_lines *lines)
{
    for (uint32_t i = 0; i < lines->count && w->version >= TP_STATE_VERSION_LOGS; i++) {
        tp_state_use(w, TP_STATE_NAME, lines->items[i].category.name);
        tp_state_use(w, TP_STATE_NAME, lines->items[i].message.name);
    }
}

static void use_slow(struct tp_state_writer *w)
{
    const struct tp_slow_tasks *slow = &w->totals->slow;
    for (uint32_t i = 0; i < slow->heap.count; i++) {
        tp_state_use(w, TP_STATE_NAME, slow->heap.items[i].path);
        tp_state_use(w, TP_STATE_NAME, slow->heap.items[i].name);
        use_lines(w, &slow->heap.items[i].logs);
    }
}

static int compare(const void *left, const void *right, void *ctx)
{
    const struct tp_state_writer *w = ctx;
    return tp_slow_task_compare(w->totals, left, right);
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

static void put_task(struct tp_state_writer *w, const struct tp_slow_task *task)
{
    bool has_wall = task->wall_ns != TP_SLOW_NO_WALL;
    tp_state_put(w, (uint64_t)task->begin_ns);
    tp_state_put(w, has_wall);
    tp_state_put(w, has_wall ? (uint64_t)task->wall_ns : 0);
    tp_state_put(w, task->id);
    tp_state_put(w, (uint64_t)task->g);
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, task->name));
    tp_state_put(w, tp_state_number(w, TP_STATE_NAME, task->path));
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        tp_state_put(w, task->parts.ns[i]);
    tp_state_put(w, task->parts.assist_ns);
    if (w->version >= TP_STATE_VERSION_LOGS)
        put_lines(w, &task->logs);
}

static void put_slow(struct tp_state_writer *w)
{
    const struct tp_slow_tasks *slow = &w->totals->slow;
    if (slow->limit == 0 && slow->heap.count == 0)
        return;
    struct tp_slow_task *sorted = tp_state_items(w, slow->heap.count, sizeof *sorted);
    if (sorted == NULL)
        return;
    if (slow->heap.count > 0)
        memcpy(sorted, slow->heap.items, slow->heap.count * sizeof *sorted);
    qsort_r(sorted, slow->heap.count, sizeof *sorted, compare, w);
    tp_state_put(w, slow->limit);
    for (uint32_t i = 0; i < slow->heap.count; i++)
        put_task(w, &sorted[i]);
    tp_free(sorted);
}

// Reads the time of each class, which add up to the duration of the task.
static void get_parts(struct tp_state_reader *r, struct tp_slow_task *task)
{
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        task->parts.ns[i] = tp_state_get(r);
        if (__builtin_add_overflow(task->ns, task->parts.ns[i], &task->ns))
            tp_state_refuse(r, "a task longer than any trace");
    }
    task->parts.assist_ns = tp_state_get(r);
    if (r->code == 0 && task->parts.assist_ns > task->ns)
        tp_state_refuse(r, "a task with more time in assists than in all");
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

static void get_lines(struct tp_state_reader *r, struct tp_slow_task *task)
{
    struct tp_log_lines *lines = &task->logs;
    lines->count = tp_state_get_below(r, TP_LOG_LINES_MAX + 1, "log line");
    for (uint32_t i = 0; i < lines->count && r->code == 0; i++) {
        struct tp_log_line *line = &lines->items[i];
        line->after_ns = tp_state_get(r);
        if (line->after_ns > task->ns)
            tp_state_refuse(r, "a log line after its task");
        line->category = get_text(r);
        line->message = get_text(r);
    }
}

static void get_task(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    struct tp_slow_task task = {.begin_ns = (int64_t)tp_state_get(r)};
    bool has_wall = tp_state_get_below(r, 2, "time of day") == 1;
    task.wall_ns = (int64_t)tp_state_get(r);
    if (r->code == 0 && (has_wall ? task.wall_ns == TP_SLOW_NO_WALL : task.wall_ns != 0))
        tp_state_refuse(r, "a time of day that is none");
    task.wall_ns = has_wall ? task.wall_ns : TP_SLOW_NO_WALL;
    task.id = tp_state_get(r);
    task.g = (int64_t)tp_state_get(r);
    task.name = tp_state_get_below(r, s->names.count, "name");
    task.path = tp_state_get_below(r, s->names.count, "name");
    get_parts(r, &task);
    if (r->version >= TP_STATE_VERSION_LOGS)
        get_lines(r, &task);
    if (r->code == 0 && s->slow.limit > 0 && s->slow.heap.count == s->slow.limit)
        tp_state_refuse(r, "more tasks than its limit");
    if (r->code == 0 && !tp_totals_add_slow(s, &task))
        tp_state_lack_memory(r);
}

static void get_slow(struct tp_state_reader *r)
{
    r->totals->slow.limit = tp_state_get_below(r, UINT32_MAX, "limit");
    while (tp_state_has_more(r) && r->code == 0)
        get_task(r);
}

const struct tp_section tp_section_slow = {.use = use_slow, .put = put_slow, .get = get_slow};
