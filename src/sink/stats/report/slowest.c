// The slowest tasks and regions one by one in the report of `stats:level=full`.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sink/print/shorten.h"
#include "sink/stats/report/command.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/when.h"

#define INDENT_COLUMNS (2 + TP_FIGURE_COLUMNS + 2)
// Columns of a path at least, else it is left out.
#define PATH_COLUMNS_LEAST 12

// The names of the kinds in the forms of the report.
static const struct {
    const char *title; // of text
    const char *key;   // of JSON
    const char *space; // of CSV
} words[TP_SLOW_KIND_COUNT] = {
    [TP_SLOW_TASK] = {"slowest tasks", "slowest_tasks", "slow_task"},
    [TP_SLOW_REGION] = {"slowest regions", "slowest_regions", "slow_region"},
};

static int compare(const void *left, const void *right, void *ctx)
{
    return tp_slow_compare(ctx, *(const struct tp_slow_interval *const *)left,
                                *(const struct tp_slow_interval *const *)right);
}

int tp_full_make_slow(struct tp_full_report *r, enum tp_slow_kind kind, struct tp_error *err)
{
    const struct tp_slow_heap *heap = &r->totals->slow.heaps[kind];
    struct tp_full_slow *slow = &r->slow[kind];
    slow->items = tp_alloc_array(heap->count + (size_t)1, sizeof *slow->items);
    if (slow->items == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of tasks or regions");
    for (uint32_t i = 0; i < heap->count; i++) {
        if (tp_full_matches(r, tp_full_text(r, heap->items[i].name)))
            slow->items[slow->count++] = &heap->items[i];
    }
    qsort_r(slow->items, slow->count, sizeof *slow->items, compare, (void *)r->totals);
    return 0;
}

// THE COMMAND

// The options of a command that shows the events of an interval: of the task, or of the goroutine of the
// region, between its beginning and its end.
struct shown {
    struct tp_full_window window;
    char sink[80];
};

static struct shown shown_of(const struct tp_slow_interval *of, enum tp_slow_kind kind)
{
    struct shown s = {.window = tp_full_window_of(of->begin_ns, of->ns)};
    char whose[40] = "";
    if (kind == TP_SLOW_TASK && of->id <= INT64_MAX)
        snprintf(whose, sizeof whose, "task=%" PRIu64 ",", of->id);
    else if (kind == TP_SLOW_REGION && of->g >= 0)
        snprintf(whose, sizeof whose, "goroutine=%" PRId64 ",", of->g);
    snprintf(s.sink, sizeof s.sink, "events:%sformat=line,time=relative", whose);
    return s;
}

// Returns the command. Borrows what it shows.
static struct tp_full_command command_of(const struct tp_full_report *r,
                                         const struct tp_slow_interval *of,
                                         const struct shown *shown)
{
    return (struct tp_full_command){shown->window.text, tp_span_of_text(shown->sink), tp_full_text(r, of->path)};
}

// TEXT

static void print_when(struct tp_line *l, const struct tp_full_report *r,
                       const struct tp_slow_interval *of)
{
    const struct tp_when when = {of->begin_ns >= 0 ? (uint64_t)of->begin_ns : TP_NO_MOMENT,
                                 of->wall_ns};
    if (of->g >= 0)
        tp_line_try(l, ", goroutine %" PRId64, of->g);
    tp_line_try(l, ", at %s", tp_full_when_text(r, when).text);
}

// Prints a text of a log line in at most `columns`, and how much of it was not kept.
static void print_text(struct tp_line *l, const struct tp_full_report *r, struct tp_log_text text,
                       unsigned columns)
{
    struct tp_human more = {"", 0};
    if (text.left_out_bytes > 0)
        more = tp_human_printf(" (%" PRIu32 " bytes more)", text.left_out_bytes);
    columns -= more.columns < columns ? more.columns : columns;
    tp_line_short(l, tp_shorten_text(tp_full_text(r, text.name), columns));
    tp_line_text(l, more.text);
}

static void print_log(struct tp_emit *e, const struct tp_full_report *r,
                      const struct tp_log_line *line)
{
    struct tp_line l = {e, r->screen.columns};
    l.left -= l.left > INDENT_COLUMNS ? INDENT_COLUMNS : l.left;
    tp_cell_spaces(e, INDENT_COLUMNS);
    (void)tp_line_try(&l, "log at +%s, ", tp_human_ns(line->after_ns).text);
    if (tp_full_text(r, line->category.name).len_bytes > 0) {
        print_text(&l, r, line->category, l.left / 2);
        if (tp_full_text(r, line->message.name).len_bytes > 0)
            tp_line_text(&l, ": ");
    }
    print_text(&l, r, line->message, l.left);
    tp_emit_text(e, "\n");
}

static void print_one(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind,
                      const struct tp_slow_interval *of)
{
    struct tp_line l = {e, r->screen.columns};
    const struct tp_breakdown_sum sum = tp_breakdown_sum_of(&of->parts);
    struct tp_span path = tp_full_path(r, tp_full_text(r, of->path));
    tp_cell_spaces(e, 2);
    tp_cell_figure(e, tp_human_ns(of->ns), TP_FIGURE_COLUMNS);
    tp_cell_spaces(e, 2);
    l.left -= l.left > INDENT_COLUMNS ? INDENT_COLUMNS : l.left;
    tp_line_short(&l, tp_shorten_function(tp_full_text(r, of->name), l.left / 3));
    print_when(&l, r, of);
    if (l.left >= PATH_COLUMNS_LEAST) {
        tp_line_text(&l, ", ");
        tp_line_short(&l, tp_shorten_path(path, l.left));
    }
    tp_emit_text(e, "\n");
    tp_cell_spaces(e, INDENT_COLUMNS - 2);
    tp_full_print_shares(e, r, &sum, INDENT_COLUMNS - 2, NULL);
    for (uint32_t i = 0; i < of->logs.count; i++)
        print_log(e, r, &of->logs.items[i]);
    tp_cell_spaces(e, INDENT_COLUMNS);
    const struct shown shown = shown_of(of, kind);
    const struct tp_full_command command = command_of(r, of, &shown);
    tp_full_print_command(e, r, "$ ", &command);
    tp_emit_text(e, "\n");
}

void tp_full_print_slow(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind)
{
    const struct tp_full_slow *slow = &r->slow[kind];
    if (slow->count == 0)
        return;
    tp_cell_title(e, words[kind].title, 0);
    tp_emit_text(e, "\n");
    for (size_t i = 0; i < slow->count && i < r->top; i++)
        print_one(e, r, kind, slow->items[i]);
    tp_table_more(e, slow->count, r->top);
}

// FOR PROGRAMS

static void put_logs(struct tp_emit *e, const struct tp_full_report *r,
                     const struct tp_log_lines *lines)
{
    tp_fields_open(e, "logs", '[');
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct tp_log_line *line = &lines->items[i];
        tp_fields_open(e, NULL, '{');
        tp_field_wide(e, "after_ns", line->after_ns);
        tp_field_span(e, "category", tp_full_text(r, line->category.name));
        tp_field_wide(e, "category_omitted_bytes", line->category.left_out_bytes);
        tp_field_span(e, "message", tp_full_text(r, line->message.name));
        tp_field_wide(e, "message_omitted_bytes", line->message.left_out_bytes);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// Puts what names one: in CSV a task has its id, a region its name.
static void put_names(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind,
                      const struct tp_slow_interval *of, const char *id)
{
    e->csv_kind = tp_full_text(r, of->path);
    tp_fields_name(e, "trace", tp_full_text(r, of->path));
    if (kind == TP_SLOW_TASK)
        tp_fields_number(e, "id", id);
    if (kind != TP_SLOW_TASK)
        tp_fields_name(e, "name", tp_full_text(r, of->name));
    else if (e->csv == NULL)
        tp_field_span(e, "name", tp_full_text(r, of->name));
}

static void put_begin(struct tp_emit *e, const struct tp_slow_interval *of)
{
    tp_field_known_i64(e, "goroutine", of->g >= 0, of->g);
    tp_field_i64(e, "begin_ns", of->begin_ns);
    tp_field_wall_ns(e, "wall_start", of->wall_ns);
}

static void put_one(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind,
                    const struct tp_slow_interval *of)
{
    char id[24];
    const struct tp_breakdown_sum sum = tp_breakdown_sum_of(&of->parts);
    const struct shown shown = shown_of(of, kind);
    const struct tp_full_command command = command_of(r, of, &shown);
    snprintf(id, sizeof id, "%" PRIu64, of->id);
    tp_fields_open_line(e, NULL, '{');
    put_names(e, r, kind, of, id);
    if (e->csv == NULL)
        put_begin(e, of);
    tp_field_wide(e, "duration_ns", of->ns);
    tp_full_put_classes(e, &sum);
    if (e->csv == NULL && kind == TP_SLOW_TASK)
        put_logs(e, r, &of->logs);
    if (e->csv == NULL)
        tp_full_put_command(e, r, &command);
    tp_fields_close(e, '{');
}

void tp_full_put_slow(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind)
{
    tp_fields_set_csv(e, words[kind].space, "");
    tp_fields_open_line(e, words[kind].key, '[');
    for (size_t i = 0; i < r->slow[kind].count; i++)
        put_one(e, r, kind, r->slow[kind].items[i]);
    tp_fields_close(e, '[');
}
