// The text form of `stats:level=counts` for people: a block for each input, then the total if
// there are several inputs, then the table of events. The block of one input and the table
// fit on a screen.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time/wall.h"
#include "sink/counts/print.h"
#include "sink/print/table.h"

static void print_duration(struct tp_emit *e, tp_wide ns)
{
    tp_emit_printf(e, "%s.%09u s", tp_wide_text(ns / TP_INVENTORY_NS_PER_S).text,
                   (unsigned)(ns % TP_INVENTORY_NS_PER_S));
}

static struct tp_wall_text utc(int64_t unix_ns)
{
    return tp_wall_text(tp_wall_at(unix_ns), 9, NULL);
}

// Prints two figures side by side.
static void print_pair(struct tp_emit *e, const char *left, uint64_t left_value, const char *right,
                       const char *right_text)
{
    tp_emit_printf(e, "  %-12s %18s    %-12s %18s\n", left, tp_human_count(left_value).text, right,
                   right_text);
}

static void print_figures(struct tp_emit *e, const struct tp_inventory *s)
{
    const struct tp_inventory_events events = tp_inventory_events(s);
    uint64_t rate = 0;
    bool has_rate = tp_inventory_event_rate(s, &rate);
    print_pair(e, "bytes", s->stream_bytes, "events", tp_human_count(events.count).text);
    print_pair(e, "generations", s->generation_count, "timed",
               tp_human_count(events.timed_count).text);
    print_pair(e, "batches", s->batch_count, "timed/s",
               has_rate ? tp_human_count(rate).text : "unknown");
    print_pair(e, "goroutines", s->goroutine_count, "strings",
               tp_human_count(tp_tally_strings(&s->tally)).text);
    print_pair(e, "Ms", s->m_count, "stacks", tp_human_count(tp_tally_stacks(&s->tally)).text);
    print_pair(e, "Ps", s->p_count, "CPU samples",
               tp_human_count(tp_tally_samples(&s->tally)).text);
    if (s->stored_bytes != s->stream_bytes)
        tp_emit_printf(e, "  %-12s %18s\n", "stored bytes", tp_human_count(s->stored_bytes).text);
    if (s->undecoded_batch_count > 0)
        tp_emit_printf(e, "  undecodable: %s byte%s in %s batch%s\n",
                       tp_human_count(s->undecoded_bytes).text, tp_plural(s->undecoded_bytes),
                       tp_human_count(s->undecoded_batch_count).text,
                       s->undecoded_batch_count == 1 ? "" : "es");
    if (s->damage_count > 0)
        tp_emit_printf(e, "  damaged in %s place%s, %s byte%s lost\n",
                       tp_human_count(s->damage_count).text, tp_plural(s->damage_count),
                       tp_human_count(s->lost_bytes).text, tp_plural(s->lost_bytes));
}

static void print_damage(struct tp_emit *e, const struct tp_input_report *report)
{
    uint64_t i = 0;
    for (; i < report->damage_count && i < TP_DAMAGE_KEPT; i++) {
        const struct tp_damage *d = &report->damage[i];
        tp_emit_printf(e, "    at %s: %s", tp_human_count(d->offset).text,
                       tp_loss_sentence(d->kind));
        if (d->len_bytes > 0)
            tp_emit_printf(e, " (%s byte%s)", tp_human_count(d->len_bytes).text,
                           tp_plural(d->len_bytes));
        tp_emit_text(e, "\n");
    }
    if (i < report->damage_count)
        tp_emit_printf(e, "    and %s more\n", tp_human_count(report->damage_count - i).text);
    if (report->error.code != 0) {
        tp_emit_text(e, "  reading ended early: ");
        tp_emit_path(e, tp_error_words(&report->error));
        tp_emit_text(e, "\n");
    }
}

static void file(struct tp_emit *e, const struct tp_inventory_file *f)
{
    const struct tp_inventory *s = &f->found->all;
    if (e->has_items)
        tp_emit_text(e, "\n");
    tp_emit_path(e, f->input->path);
    tp_emit_printf(e, "\n  %s%s, ", tp_versions[tp_version_of(f->found->format.minor)].releases,
                   f->input->is_text_form ? " as text" : "");
    if (s->timed_file_count > 0)
        print_duration(e, s->duration_ns);
    else
        tp_emit_text(e, "duration unknown");
    if (s->wall_start.is_known)
        tp_emit_printf(e, " from %s", utc(s->wall_start.least_ns).text);
    tp_emit_text(e, "\n");
    print_figures(e, s);
    print_damage(e, f->report);
}

static void refused(struct tp_emit *e, const struct tp_inventory_run *run, const char *path,
                    const struct tp_error *why)
{
    (void)run;
    if (e->has_items)
        tp_emit_text(e, "\n");
    tp_emit_path(e, path);
    tp_emit_text(e, "\n  refused: ");
    tp_emit_path(e, tp_error_words(why));
    tp_emit_text(e, "\n");
}

static void print_total(struct tp_emit *e, const struct tp_inventory *total)
{
    uint64_t file_count = tp_inventory_file_count(total);
    uint64_t input_count = file_count + total->refused_count;
    tp_emit_printf(e, "%stotal of %s input%s: %s complete, %s damaged, %s refused\n",
                   input_count > 0 ? "\n" : "", tp_human_count(input_count).text,
                   tp_plural(input_count), tp_human_count(total->complete_count).text,
                   tp_human_count(total->damaged_count).text,
                   tp_human_count(total->refused_count).text);
    if (file_count == 0)
        return;
    const char *glue = "  ";
    for (size_t i = 0; i < TP_VERSIONS; i++) {
        if (total->version_counts[i] == 0)
            continue;
        tp_emit_printf(e, "%s%s %s", glue, tp_human_count(total->version_counts[i]).text,
                       tp_versions[i].releases);
        glue = ", ";
    }
    tp_emit_text(e, "\n  ");
    print_duration(e, total->duration_ns);
    tp_emit_text(e, " in all");
    if (total->timed_file_count < file_count)
        tp_emit_printf(e, " (known for %s input%s)",
                       tp_human_count(total->timed_file_count).text,
                       tp_plural(total->timed_file_count));
    if (total->wall_start.is_known)
        tp_emit_printf(e, ", started from %s\n  to %s", utc(total->wall_start.least_ns).text,
                       utc(total->wall_start.greatest_ns).text);
    tp_emit_text(e, "\n");
    print_figures(e, total);
}

static int by_bytes_descending(const void *left, const void *right)
{
    const struct tp_counts_type *const *a = left, *const *b = right;
    if ((*a)->bytes != (*b)->bytes)
        return (*a)->bytes > (*b)->bytes ? -1 : 1;
    return (*a > *b) - (*a < *b);
}

static const struct tp_column columns[] = {TP_COLUMN("count", 18), TP_COLUMN("bytes", 18),
                                           TP_COLUMN("share", 7)};
static const struct tp_table table = {
    columns, TP_ARRAY_LEN(columns), .indent_columns = 1, .gap_columns = 1};

static void print_row(struct tp_emit *e, const char *name, uint64_t count, uint64_t bytes,
                      uint64_t all_bytes)
{
    tp_emit_printf(e, "  %-20s", name);
    tp_table_cells(e, &table, (struct tp_human[]){tp_human_count(count), tp_human_count(bytes),
                                                  tp_human_share(bytes, all_bytes)},
                   TP_ARRAY_LEN(columns));
    tp_emit_text(e, "\n");
}

static void print_table(struct tp_emit *e, const struct tp_inventory *total)
{
    struct tp_counts_type types[TP_COUNTS_TYPE_MAX];
    const struct tp_counts_type *rows[TP_COUNTS_TYPE_MAX];
    size_t row_count = tp_counts_types(total, types);
    if (row_count == 0)
        return;
    for (size_t i = 0; i < row_count; i++)
        rows[i] = &types[i];
    qsort(rows, row_count, sizeof rows[0], by_bytes_descending);
    const struct tp_inventory_events all = tp_inventory_events(total);
    tp_emit_printf(e, "\n  %-20s", "events by type");
    tp_table_heads(e, &table);
    for (size_t i = 0; i < row_count; i++)
        print_row(e, rows[i]->name, rows[i]->count, rows[i]->bytes, all.bytes);
    print_row(e, "all", all.count, all.bytes, all.bytes);
}

static void end(struct tp_emit *e, const struct tp_inventory_run *run)
{
    const struct tp_inventory *total = &run->total;
    // The total of a single input would repeat its block.
    if (tp_inventory_file_count(total) != 1 || total->refused_count > 0)
        print_total(e, total);
    print_table(e, total);
}

const struct tp_inventory_printer tp_counts_print_text = {
    .file = file, .refused = refused, .end = end};
