// Sections of a state: the goroutines that ran longest, and the slowest tasks and regions, one by one.
#include "stats/state/section.h"

// GOROUTINES

static void visit_g(struct tp_state_visit *v, void *row)
{
    struct tp_top_goroutine *g = row;
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        tp_visit_u64(v, &g->spent_ns[i]);
    tp_visit_i64(v, &g->begin_ns);
    tp_visit_u64(v, &g->life_ns);
    tp_visit_i64(v, &g->id);
    tp_visit_row(v, &g->function, TP_SECTION_names);
    tp_visit_row(v, &g->path, TP_SECTION_names);
}

static void add_g(struct tp_state_reader *r, const void *row)
{
    struct tp_totals *s = r->totals;
    if (s->gs.limit > 0 && s->gs.heap.count == s->gs.limit)
        tp_state_refuse(r, "more goroutines than its limit");
    else if (!tp_totals_add_g(s, row))
        tp_state_lack_memory(r);
}

const struct tp_section tp_section_gs = {
    .visit = visit_g, TP_STATE_ROWS(struct tp_top_goroutine, gs.heap), .add = add_g};

// TASKS AND REGIONS

static void visit_log_text(struct tp_state_visit *v, struct tp_log_text *text)
{
    tp_visit_row(v, &text->name, TP_SECTION_names);
    tp_visit_below(v, &text->left_out_bytes, UINT32_MAX, "length");
    if (v->mode == TP_STATE_GET && v->r->code == 0 &&
        tp_totals_text(v->r->totals, text->name).len_bytes > TP_LOG_TEXT_BYTES)
        tp_state_refuse(v->r, "a log line that is too long");
}

static void visit_slow(struct tp_state_visit *v, void *row)
{
    struct tp_slow_interval *of = row;
    tp_visit_i64(v, &of->begin_ns);
    tp_visit_i64(v, &of->wall_ns);
    tp_visit_u64(v, &of->id);
    tp_visit_i64(v, &of->g);
    tp_visit_row(v, &of->name, TP_SECTION_names);
    tp_visit_row(v, &of->path, TP_SECTION_names);
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        tp_visit_u64(v, &of->parts.ns[i]);
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
        tp_visit_u64(v, &of->parts.delay_ns[i]);
    tp_visit_below(v, &of->logs.count, TP_LOG_LINES_MAX + 1, "log line");
    for (uint32_t i = 0; i < of->logs.count; i++) {
        tp_visit_u64(v, &of->logs.items[i].after_ns);
        visit_log_text(v, &of->logs.items[i].category);
        visit_log_text(v, &of->logs.items[i].message);
    }
}

static void check_slow(struct tp_state_reader *r, void *row)
{
    struct tp_slow_interval *of = row;
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        if (__builtin_add_overflow(of->ns, of->parts.ns[i], &of->ns))
            tp_state_refuse(r, "a task or region longer than any trace");
    }
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++) {
        if (of->parts.delay_ns[i] > of->ns)
            tp_state_refuse(r, "a task or region with more assist or stopped time than total time");
    }
    for (uint32_t i = 0; i < of->logs.count; i++) {
        if (of->logs.items[i].after_ns > of->ns)
            tp_state_refuse(r, "a log line after its task");
    }
}

static void add_slow(struct tp_state_reader *r, enum tp_slow_kind kind,
                     const struct tp_slow_interval *of)
{
    struct tp_totals *s = r->totals;
    if (kind == TP_SLOW_REGION && (of->id != 0 || of->logs.count > 0))
        tp_state_refuse(r, "a region with the id or log lines of a task");
    if (s->slow.limit > 0 && s->slow.heaps[kind].count == s->slow.limit)
        tp_state_refuse(r, "more tasks or regions than the limit");
    if (r->code == 0 && !tp_totals_add_slow(s, kind, of))
        tp_state_lack_memory(r);
}

static void add_task(struct tp_state_reader *r, const void *row)
{
    add_slow(r, TP_SLOW_TASK, row);
}

static void add_region(struct tp_state_reader *r, const void *row)
{
    add_slow(r, TP_SLOW_REGION, row);
}

const struct tp_section tp_section_slow_tasks = {
    .visit = visit_slow,
    TP_STATE_ROWS(struct tp_slow_interval, slow.heaps[TP_SLOW_TASK]),
    .check_row = check_slow,
    .add = add_task};
const struct tp_section tp_section_slow_regions = {
    .visit = visit_slow,
    TP_STATE_ROWS(struct tp_slow_interval, slow.heaps[TP_SLOW_REGION]),
    .check_row = check_slow,
    .add = add_region};
