#include "sink/stats/summary_print.h"

#include "base/alloc.h"
#include "base/text/quote.h"
#include "sink/print/fields.h"
#include "stats/summary/labels.h"

struct printer {
    struct tp_summary *s;
    struct tp_emit *e;
    struct tp_summary_labels labels;
    struct tp_sorter_item item;    // the next item to print
    bool has_item;                 // false: no item is left, or a failure
    int code;                      // of the first failure; 0: none
    struct tp_error *err;
    uint64_t goroutine_count;
    uint64_t task_count;
    // Copy of the begin event of a task, or of the record of a goroutine, for the time in which its
    // other items are printed.
    unsigned char *kept;
};

// An item of times in a sorter.
struct times_view {
    const struct tp_item_times *totals;
    const struct tp_named_ns *blocks;
    const struct tp_named_ns *ranges;
};

static struct times_view view_of(const struct tp_item_times *totals, const void *lists)
{
    const struct tp_named_ns *blocks = lists;
    return (struct times_view){totals, blocks, blocks + totals->block_count};
}

// VALUES

static void put_string(struct printer *p, const char *key, struct tp_span text)
{
    tp_emit_json_key(p->e, key);
    if (tp_utf8_is_valid(text)) {
        tp_emit_go_json_string(p->e, text);
        return;
    }
    tp_emit_text(p->e, "{\"hex\":\"");
    for (size_t i = 0; i < text.len_bytes; i++)
        tp_emit_printf(p->e, "%02x", text.ptr[i]);
    tp_emit_text(p->e, "\"}");
}

// TIMES

// Puts an object of times by name. `items` are sorted in the order of output.
static void put_object(struct printer *p, const char *key, enum tp_label_form form,
                       const struct tp_named_ns *items, size_t count)
{
    tp_fields_open(p->e, key, '{');
    for (size_t i = 0; i < count; i++) {
        tp_emit_json_key(p->e, NULL);
        tp_emit_span(p->e, tp_label_key(&p->labels, form, items[i].name));
        tp_emit_i64(p->e, items[i].ns);
    }
    tp_fields_close(p->e, '{');
}

// Sorts by insertion: there are few items, nearly in order.
static void sort_items(const struct printer *p, enum tp_label_form form, struct tp_named_ns *items,
                       size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct tp_named_ns moved = items[i];
        uint32_t rank = tp_label_rank(&p->labels, form, moved.name);
        size_t at = i;
        for (; at > 0 && tp_label_rank(&p->labels, form, items[at - 1].name) > rank; at--)
            items[at] = items[at - 1];
        items[at] = moved;
    }
}

static void put_list(struct printer *p, const char *key, const struct tp_named_ns *items,
                     size_t count)
{
    struct tp_named_ns sorted[TP_TIME_LIST_MAX];
    if (count > 0)
        memcpy(sorted, items, count * sizeof *sorted);
    sort_items(p, TP_LABEL_PLAIN, sorted, count);
    put_object(p, key, TP_LABEL_PLAIN, sorted, count);
}

// Returns the part of the total time that no other time covers, as in Go.
static int64_t unknown_ns(struct printer *p, const struct times_view *t)
{
    struct tp_summary_status *st = &p->s->status;
    const struct tp_time_sums *sums = &t->totals->sums;
    int64_t sum = tp_ns_plus(tp_ns_plus(sums->exec_ns, sums->sched_ns, st),
                             tp_ns_plus(sums->syscall_ns, sums->syscall_block_ns, st), st);
    for (size_t i = 0; i < t->totals->block_count; i++)
        sum = tp_ns_plus(sum, t->blocks[i].ns, st);
    return sum < sums->total_ns ? tp_ns_minus(sums->total_ns, sum) : 0;
}

// Go's NonOverlappingStats. A wait for the reason "syscall" has the key of blocked
// syscalls, and is added to them.
static void put_non_overlapping(struct printer *p, const struct times_view *t)
{
    struct tp_named_ns items[TP_TIME_LIST_MAX + 1 + TP_FIXED_LABELS];
    const struct tp_summary_labels *l = &p->labels;
    const struct tp_time_sums *sums = &t->totals->sums;
    size_t count = t->totals->block_count;
    struct tp_time_list blocks = {
        .items = items, .count = (uint32_t)count, .capacity = (uint32_t)count};
    if (count > 0)
        memcpy(items, t->blocks, count * sizeof *items);
    struct tp_named_ns *syscalls = tp_time_list_find(&blocks, l->name_syscall);
    if (syscalls != NULL)
        syscalls->ns = tp_ns_plus(syscalls->ns, sums->syscall_block_ns, &p->s->status);
    else
        items[count++] = (struct tp_named_ns){l->name_syscall, sums->syscall_block_ns};
    items[count++] = (struct tp_named_ns){tp_label_fixed(l, TP_LABEL_EXEC), sums->exec_ns};
    items[count++] = (struct tp_named_ns){tp_label_fixed(l, TP_LABEL_SCHED), sums->sched_ns};
    items[count++] = (struct tp_named_ns){tp_label_fixed(l, TP_LABEL_SYSCALL), sums->syscall_ns};
    items[count++] = (struct tp_named_ns){tp_label_fixed(l, TP_LABEL_UNKNOWN), unknown_ns(p, t)};
    sort_items(p, TP_LABEL_BLOCK, items, count);
    put_object(p, "nonOverlapping", TP_LABEL_BLOCK, items, count);
}

// REGIONS

static void put_region(struct printer *p)
{
    const struct tp_item_region *r = (const void *)p->item.bytes.ptr;
    struct times_view t = view_of(&r->times, r + 1);
    const void *name = t.ranges + r->times.range_count;
    tp_fields_open(p->e, NULL, '{');
    put_list(p, "blockTimeByReason", t.blocks, t.totals->block_count);
    tp_field_known_i64(p->e, "end", r->has_end, r->end_ns);
    tp_field_i64(p->e, "execTime", r->times.sums.exec_ns);
    put_string(p, "name", tp_span_of(name, r->name_bytes));
    put_non_overlapping(p, &t);
    put_list(p, "rangeTime", t.ranges, t.totals->range_count);
    tp_field_i64(p->e, "schedWaitTime", r->times.sums.sched_ns);
    tp_field_known_i64(p->e, "start", r->has_start, r->start_ns);
    tp_field_i64(p->e, "syscallBlockTime", r->times.sums.syscall_block_ns);
    tp_field_i64(p->e, "syscallTime", r->times.sums.syscall_ns);
    tp_field_wide(p->e, "task", r->task);
    tp_field_i64(p->e, "totalTime", r->times.sums.total_ns);
    tp_fields_close(p->e, '{');
}

// GOROUTINES

static void next_item(struct printer *p, struct tp_sorter *from)
{
    p->code = tp_sorter_next(from, &p->item, &p->has_item, p->err);
    p->has_item = p->has_item && p->code == 0;
}

// Returns a copy of the item's bytes, which the next item would overwrite.
static const void *keep_item(struct printer *p)
{
    memcpy(p->kept, p->item.bytes.ptr, p->item.bytes.len_bytes);
    return p->kept;
}

static void begin_goroutine(struct printer *p, const struct tp_item_goroutine *g,
                            const struct times_view *t)
{
    tp_fields_open(p->e, NULL, '{');
    tp_fields_open(p->e, "goroutine", '{');
    put_list(p, "blockTimeByReason", t->blocks, t->totals->block_count);
    tp_field_i64(p->e, "creationTime", g->creation_ns);
    tp_field_i64(p->e, "endTime", g->end_ns);
    tp_field_i64(p->e, "execTime", g->times.sums.exec_ns);
    tp_field_i64(p->e, "id", g->id);
    put_string(p, "name", tp_intern_text(&p->s->names, (uint32_t)g->name));
    put_non_overlapping(p, t);
    tp_field_known_i64(p->e, "parent", g->has_parent, g->parent);
    tp_field_wide(p->e, "pc", g->pc);
    put_list(p, "rangeTime", t->ranges, t->totals->range_count);
    tp_fields_open(p->e, "regions", '[');
}

static void end_goroutine(struct printer *p, const struct tp_item_goroutine *g)
{
    tp_fields_close(p->e, '[');
    tp_field_i64(p->e, "schedWaitTime", g->times.sums.sched_ns);
    tp_field_i64(p->e, "startTime", g->start_ns);
    tp_field_i64(p->e, "syscallBlockTime", g->times.sums.syscall_block_ns);
    tp_field_i64(p->e, "syscallTime", g->times.sums.syscall_ns);
    tp_field_i64(p->e, "totalTime", g->times.sums.total_ns);
    tp_fields_close(p->e, '{');
    tp_fields_end(p->e);
}

// Prints the newest record of a goroutine with its regions; skips older records.
static void put_goroutine(struct printer *p)
{
    struct tp_sorter *from = &p->s->items.goroutines;
    uint64_t id = p->item.key.words[0], age = p->item.key.words[1] >> 1;
    // The newest record of an id is always complete, and stands before its regions.
    assert((p->item.key.words[1] & 1) == TP_GOROUTINE_RECORD);
    const struct tp_item_goroutine *g = keep_item(p);
    struct times_view t = view_of(&g->times, g + 1);
    begin_goroutine(p, g, &t);
    p->goroutine_count++;
    for (next_item(p, from); p->has_item && p->item.key.words[0] == id; next_item(p, from)) {
        if (p->item.key.words[1] >> 1 == age)
            put_region(p);
    }
    end_goroutine(p, g);
}

// TASKS

struct task {
    uint64_t id;
    bool has_start, has_end, has_parent;
    int64_t start_ns, end_ns;
    uint64_t parent;
    struct tp_span name; // in the printer's memory
};

// Takes a beginning or end of a task. If a task has several of them, the last one gives the time
// and the name, and the first one that has a parent gives the parent.
static void take_task_event(struct printer *p, struct task *task)
{
    const struct tp_item_task_event *ev = keep_item(p);
    task->name = tp_span_of(ev + 1, ev->name_bytes);
    if (ev->is_end) {
        task->has_end = true;
        task->end_ns = ev->time_ns;
    } else {
        task->has_start = true;
        task->start_ns = ev->time_ns;
    }
    if (!task->has_parent && ev->parent != TP_NO_TASK) {
        task->has_parent = true;
        task->parent = ev->parent;
    }
}

static void put_log(struct printer *p)
{
    const struct tp_item_log *log = (const void *)p->item.bytes.ptr;
    const unsigned char *texts = (const unsigned char *)(log + 1);
    tp_fields_open(p->e, NULL, '{');
    put_string(p, "category", tp_span_of(texts, log->category_bytes));
    tp_field_i64(p->e, "goroutine", log->goroutine);
    put_string(p, "message", tp_span_of(texts + log->category_bytes, log->message_bytes));
    tp_field_i64(p->e, "time", log->time_ns);
    tp_fields_close(p->e, '{');
}

static void put_task_item(struct printer *p, struct task *task)
{
    uint64_t number = p->item.key.words[2];
    switch ((enum tp_task_section)p->item.key.words[1]) {
    case TP_TASK_EVENT: take_task_event(p, task); break;
    case TP_TASK_CHILD: tp_field_wide(p->e, NULL, number); break;
    case TP_TASK_GOROUTINE: tp_field_i64(p->e, NULL, tp_sorter_number_of(number)); break;
    case TP_TASK_LOG: put_log(p); break;
    case TP_TASK_REGION: put_region(p); break;
    }
}

// Prints all items of one section of the task; a goroutine only once, however often it was put.
static void put_section(struct printer *p, struct task *task, enum tp_task_section section)
{
    struct tp_sorter_key before = {{0}};
    bool is_first = true;
    while (p->has_item && p->item.key.words[0] == task->id && p->item.key.words[1] == section) {
        if (is_first || section != TP_TASK_GOROUTINE ||
            memcmp(&before, &p->item.key, sizeof before) != 0)
            put_task_item(p, task);
        before = p->item.key;
        is_first = false;
        next_item(p, &p->s->items.tasks);
    }
}

// Puts the items of a section as an array.
static void put_array(struct printer *p, const char *key, struct task *task,
                      enum tp_task_section section)
{
    tp_fields_open(p->e, key, '[');
    put_section(p, task, section);
    tp_fields_close(p->e, '[');
}

static void put_task(struct printer *p)
{
    struct task task = {.id = p->item.key.words[0]};
    put_section(p, &task, TP_TASK_EVENT);
    tp_fields_open(p->e, NULL, '{');
    tp_fields_open(p->e, "task", '{');
    put_array(p, "children", &task, TP_TASK_CHILD);
    tp_field_bool(p->e, "complete", task.has_start && task.has_end);
    tp_field_known_i64(p->e, "end", task.has_end, task.end_ns);
    put_array(p, "goroutines", &task, TP_TASK_GOROUTINE);
    tp_field_wide(p->e, "id", task.id);
    put_array(p, "logs", &task, TP_TASK_LOG);
    put_string(p, "name", task.name);
    tp_field_known_wide(p->e, "parent", task.has_parent, task.parent);
    put_array(p, "regions", &task, TP_TASK_REGION);
    tp_field_known_i64(p->e, "start", task.has_start, task.start_ns);
    tp_fields_close(p->e, '{');
    tp_fields_end(p->e);
    p->task_count++;
}

// ALL

static void put_totals(struct printer *p, bool is_complete)
{
    const struct tp_summary_totals *totals = &p->s->totals;
    tp_fields_open(p->e, NULL, '{');
    tp_fields_open(p->e, "trace", '{');
    tp_field_bool(p->e, "complete", is_complete);
    tp_field_wide(p->e, "events", totals->event_count);
    tp_field_i64(p->e, "firstTime", totals->first_ns);
    tp_field_wide(p->e, "goroutines", p->goroutine_count);
    tp_field_i64(p->e, "lastTime", totals->last_ns);
    tp_field_wide(p->e, "syncs", totals->sync_count);
    tp_field_wide(p->e, "tasks", p->task_count);
    tp_fields_close(p->e, '{');
    tp_fields_end(p->e);
}

static void put_all(struct printer *p, struct tp_sorter *from, void (*put)(struct printer *p))
{
    if (p->code == 0)
        next_item(p, from);
    while (p->has_item && p->e->code == 0)
        put(p);
}

int tp_summary_print(struct tp_summary *s, bool is_complete, struct tp_emit *e,
                     struct tp_error *err)
{
    struct printer p = {.s = s, .e = e, .err = err, .kept = tp_alloc(TP_SORTER_ITEM_MAX_BYTES)};
    p.code = p.kept != NULL ? tp_summary_labels_init(&p.labels, &s->names, err)
                            : tp_fail(err, TP_E_MEMORY, "out of memory for printing a summary");
    put_all(&p, &s->items.goroutines, put_goroutine);
    put_all(&p, &s->items.tasks, put_task);
    if (p.code == 0)
        put_totals(&p, is_complete);
    tp_summary_labels_fini(&p.labels);
    tp_free(p.kept);
    return p.code;
}
