// The CSV form of `stats:level=counts`; print.h describes its contents.
#include <inttypes.h>
#include <stdio.h>

#include "sink/counts/print.h"

// Begins a row. `path` is empty for the total. Metrics and keys are fixed words, so they need no
// quoting.
static void begin_row(struct tp_emit *e, const char *path, const char *metric, const char *key)
{
    tp_emit_csv_text(e, tp_span_of(path, strlen(path)));
    tp_emit_printf(e, ",%s,%s,", metric, key);
}

static void print_text(struct tp_emit *e, const char *path, const char *metric, const char *value)
{
    begin_row(e, path, metric, "");
    tp_emit_csv_text(e, tp_span_of(value, strlen(value)));
    tp_emit_text(e, "\n");
}

static void print_keyed(struct tp_emit *e, const char *path, const char *metric, const char *key,
                        uint64_t value)
{
    begin_row(e, path, metric, key);
    tp_emit_u64(e, value);
    tp_emit_text(e, "\n");
}

static void print_u64(struct tp_emit *e, const char *path, const char *metric, uint64_t value)
{
    print_keyed(e, path, metric, "", value);
}

static void print_i64(struct tp_emit *e, const char *path, const char *metric, int64_t value)
{
    begin_row(e, path, metric, "");
    tp_emit_i64(e, value);
    tp_emit_text(e, "\n");
}

static void print_wide(struct tp_emit *e, const char *path, const char *metric, tp_wide value)
{
    begin_row(e, path, metric, "");
    tp_emit_text(e, tp_wide_text(value).text);
    tp_emit_text(e, "\n");
}

// Prints a time as two rows, METRIC_ns and METRIC.
static void print_time(struct tp_emit *e, const char *path, const char *metric, int64_t ns)
{
    char name[48], text[TP_STATS_TIME_BYTES];
    snprintf(name, sizeof name, "%s_ns", metric);
    print_i64(e, path, name, ns);
    tp_stats_format_time(ns, text);
    print_text(e, path, metric, text);
}

static void print_figures(struct tp_emit *e, const char *path, const struct tp_stats *s)
{
    struct tp_stats_figure figures[TP_STATS_FIGURE_MAX];
    size_t figure_count = tp_stats_figures(s, figures);
    for (size_t i = 0; i < figure_count; i++)
        print_u64(e, path, figures[i].key, figures[i].value);
}

static void print_rate(struct tp_emit *e, const char *path, const struct tp_stats *s)
{
    uint64_t rate = 0;
    if (tp_stats_event_rate(s, &rate))
        print_u64(e, path, "timed_events_per_second", rate);
}

static void print_events(struct tp_emit *e, const char *path, const struct tp_stats *s)
{
    struct tp_stats_type types[TP_STATS_TYPE_MAX];
    size_t type_count = tp_stats_types(s, types);
    for (size_t i = 0; i < type_count; i++) {
        print_keyed(e, path, "event_count", types[i].name, types[i].count);
        print_keyed(e, path, "event_bytes", types[i].name, types[i].bytes);
    }
}

static void print_damage(struct tp_emit *e, const char *path, const struct tp_input_report *report)
{
    for (uint64_t i = 0; i < report->damage_count && i < TP_DAMAGE_KEPT; i++) {
        const struct tp_damage *d = &report->damage[i];
        char place[64];
        snprintf(place, sizeof place, "%s@%" PRIu64, tp_loss_key(d->kind), d->offset);
        print_keyed(e, path, "damage", place, d->len_bytes);
    }
}

static void print_status(struct tp_emit *e, const char *path, const char *status)
{
    print_text(e, path, "status", status);
    print_text(e, path, "complete", strcmp(status, TP_STATUS_COMPLETE) == 0 ? "yes" : "no");
}

static void begin(struct tp_emit *e) { tp_emit_text(e, "file,metric,key,value\n"); }

static void file(struct tp_emit *e, const struct tp_stats_file *f, uint64_t file_idx)
{
    const struct tp_stats *s = f->stats;
    (void)file_idx;
    print_text(e, f->path, "version", tp_stats_version_name(f->minor));
    print_u64(e, f->path, "minor", f->minor);
    print_status(e, f->path, s->complete_count > 0 ? TP_STATUS_COMPLETE : TP_STATUS_DAMAGED);
    print_figures(e, f->path, s);
    if (f->range.is_known) {
        print_i64(e, f->path, "begin_ns", f->range.least_ns);
        print_i64(e, f->path, "end_ns", f->range.greatest_ns);
    }
    if (s->timed_file_count > 0)
        print_wide(e, f->path, "duration_ns", s->duration_ns);
    if (s->wall_start.is_known)
        print_time(e, f->path, "wall_start", s->wall_start.least_ns);
    print_rate(e, f->path, s);
    print_damage(e, f->path, f->report);
    if (f->report->error.code != 0)
        print_text(e, f->path, "error", tp_error_words(&f->report->error));
    print_events(e, f->path, s);
}

static void refused(struct tp_emit *e, const char *path, const struct tp_error *why,
                    uint64_t file_idx)
{
    (void)file_idx;
    print_status(e, path, TP_STATUS_REFUSED);
    print_text(e, path, "error", tp_error_words(why));
}

static void end(struct tp_emit *e, const struct tp_stats *total)
{
    print_u64(e, "", "files", tp_stats_file_count(total));
    print_u64(e, "", "complete", total->complete_count);
    print_u64(e, "", "damaged", total->damaged_count);
    print_u64(e, "", "refused", total->refused_count);
    for (size_t i = 0; i < TP_STATS_VERSION_COUNT; i++) {
        if (tp_stats_version_is_shown(total, i))
            print_keyed(e, "", "versions", tp_stats_version_names[i].name,
                      total->version_counts[i]);
    }
    print_figures(e, "", total);
    print_wide(e, "", "duration_ns", total->duration_ns);
    print_u64(e, "", "files_with_duration", total->timed_file_count);
    print_u64(e, "", "timed_events_with_duration", total->rated_event_count);
    if (total->wall_start.is_known) {
        print_time(e, "", "wall_start_first", total->wall_start.least_ns);
        print_time(e, "", "wall_start_last", total->wall_start.greatest_ns);
    }
    print_rate(e, "", total);
    print_events(e, "", total);
}

const struct tp_stats_printer tp_stats_print_csv = {begin, file, refused, end};
