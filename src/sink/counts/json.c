// The JSON form of `stats:level=counts`; print.h describes its contents.
#include <inttypes.h>

#include "sink/counts/print.h"
#include "sink/print/json_fields.h"

// Prints a time as two fields, KEY_ns and KEY.
static void print_time(struct tp_emit *e, const char *key, bool is_known, int64_t ns)
{
    char text[TP_STATS_TIME_BYTES] = "";
    if (is_known)
        tp_stats_format_time(ns, text);
    const char *quote = is_known ? "\"" : "";
    if (is_known)
        tp_emit_printf(e, ",\"%s_ns\":%" PRId64, key, ns);
    else
        tp_emit_printf(e, ",\"%s_ns\":null", key);
    tp_emit_printf(e, ",\"%s\":%s%s%s", key, quote, is_known ? text : "null", quote);
}

static void print_figures(struct tp_emit *e, const struct tp_stats *s)
{
    struct tp_stats_figure figures[TP_STATS_FIGURE_MAX];
    size_t figure_count = tp_stats_figures(s, figures);
    for (size_t i = 0; i < figure_count; i++)
        tp_json_u64(e, figures[i].key, figures[i].value);
}

static void print_rate(struct tp_emit *e, const struct tp_stats *s)
{
    uint64_t rate = 0;
    tp_json_key(e, "timed_events_per_second", false);
    if (tp_stats_event_rate(s, &rate))
        tp_emit_u64(e, rate);
    else
        tp_emit_text(e, "null");
}

static void print_events(struct tp_emit *e, const struct tp_stats *s)
{
    struct tp_stats_type types[TP_STATS_TYPE_MAX];
    size_t type_count = tp_stats_types(s, types);
    tp_json_key(e, "events_by_type", false);
    tp_emit_text(e, "{");
    for (size_t i = 0; i < type_count; i++) {
        tp_json_key(e, types[i].name, i == 0);
        tp_emit_printf(e, "{\"count\":%" PRIu64 ",\"bytes\":%" PRIu64 "}", types[i].count,
                       types[i].bytes);
    }
    tp_emit_text(e, "}");
}

static void print_damage(struct tp_emit *e, const struct tp_input_report *report)
{
    tp_json_key(e, "damage", false);
    tp_emit_text(e, "[");
    for (uint64_t i = 0; i < report->damage_count && i < TP_DAMAGE_KEPT; i++) {
        const struct tp_damage *d = &report->damage[i];
        tp_emit_printf(e,
                       "%s{\"kind\":\"%s\",\"offset\":%" PRIu64 ",\"lost_bytes\":%" PRIu64
                       ",\"generation\":%" PRIu64 "}",
                       i == 0 ? "" : ",", tp_loss_key(d->kind), d->offset, d->len_bytes,
                       d->generation);
    }
    tp_emit_text(e, "]");
}

static void begin(struct tp_emit *e)
{
    tp_emit_text(e, "{\"schema\":\"tracepipe.stats/2\",\"files\":[");
}

static void file(struct tp_emit *e, const struct tp_stats_file *f, uint64_t file_idx)
{
    const struct tp_stats *s = f->stats;
    tp_json_begin_input(e, f->path, s->complete_count > 0 ? TP_STATUS_COMPLETE : TP_STATUS_DAMAGED,
                        file_idx);
    tp_json_text(e, "version", tp_stats_version_name(f->minor));
    tp_json_u64(e, "minor", f->minor);
    print_figures(e, s);
    tp_json_known_i64(e, "begin_ns", f->range.is_known, f->range.least_ns);
    tp_json_known_i64(e, "end_ns", f->range.is_known, f->range.greatest_ns);
    tp_json_key(e, "duration_ns", false);
    tp_emit_text(e, s->timed_file_count > 0 ? tp_wide_text(s->duration_ns).text : "null");
    print_time(e, "wall_start", s->wall_start.is_known, s->wall_start.least_ns);
    print_rate(e, s);
    print_damage(e, f->report);
    tp_json_error(e, &f->report->error);
    print_events(e, s);
    tp_emit_text(e, "}");
}

static void refused(struct tp_emit *e, const char *path, const struct tp_error *why,
                    uint64_t file_idx)
{
    tp_json_begin_input(e, path, TP_STATUS_REFUSED, file_idx);
    tp_json_error(e, why);
    tp_emit_text(e, "}");
}

static void print_versions(struct tp_emit *e, const struct tp_stats *total)
{
    bool is_first = true;
    tp_json_key(e, "versions", false);
    tp_emit_text(e, "{");
    for (size_t i = 0; i < TP_STATS_VERSION_COUNT; i++) {
        if (!tp_stats_version_is_shown(total, i))
            continue;
        tp_json_key(e, tp_stats_version_names[i].name, is_first);
        tp_emit_u64(e, total->version_counts[i]);
        is_first = false;
    }
    tp_emit_text(e, "}");
}

static void end(struct tp_emit *e, const struct tp_stats *total)
{
    tp_emit_text(e, "\n],\"total\":{");
    tp_json_key(e, "files", true);
    tp_emit_u64(e, tp_stats_file_count(total));
    tp_json_u64(e, "complete", total->complete_count);
    tp_json_u64(e, "damaged", total->damaged_count);
    tp_json_u64(e, "refused", total->refused_count);
    print_versions(e, total);
    print_figures(e, total);
    tp_json_key(e, "duration_ns", false);
    tp_emit_wide(e, total->duration_ns);
    tp_json_u64(e, "files_with_duration", total->timed_file_count);
    tp_json_u64(e, "timed_events_with_duration", total->rated_event_count);
    print_time(e, "wall_start_first", total->wall_start.is_known, total->wall_start.least_ns);
    print_time(e, "wall_start_last", total->wall_start.is_known, total->wall_start.greatest_ns);
    print_rate(e, total);
    print_events(e, total);
    tp_emit_text(e, "}}\n");
}

const struct tp_stats_printer tp_stats_print_json = {begin, file, refused, end};
