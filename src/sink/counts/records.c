// The JSON and CSV forms of `stats:level=counts`; print.h describes their contents.
#include <inttypes.h>
#include <stdio.h>

#include "sink/counts/print.h"
#include "sink/print/fields.h"

// CSV: prints a row whose `key` is not empty. Metrics and keys are fixed words, so they need no
// quoting.
static void put_keyed(struct tp_emit *e, const char *metric, const char *key, uint64_t value)
{
    tp_fields_put_csv(e, metric);
    tp_emit_printf(e, ",%s,%" PRIu64 "\n", key, value);
}

static void put_figures(struct tp_emit *e, const struct tp_inventory *s)
{
    const struct tp_inventory_events events = tp_inventory_events(s);
#define TP_X(field, key) tp_field_wide(e, key, s->field);
    TP_INVENTORY_SUMS(TP_X)
#undef TP_X
    tp_field_wide(e, "events", events.count);
    tp_field_wide(e, "timed_events", events.timed_count);
    tp_field_wide(e, "event_bytes", events.bytes);
    tp_field_wide(e, "string_count", tp_tally_strings(&s->tally));
    tp_field_wide(e, "stack_count", tp_tally_stacks(&s->tally));
    tp_field_wide(e, "cpu_samples", tp_tally_samples(&s->tally));
}

static void put_rate(struct tp_emit *e, const struct tp_inventory *s)
{
    uint64_t rate = 0;
    bool is_known = tp_inventory_event_rate(s, &rate);
    tp_field_known_wide(e, "timed_events_per_second", is_known, rate);
}

static void put_event(struct tp_emit *e, const struct tp_counts_type *t)
{
    if (e->csv != NULL) {
        put_keyed(e, "event_count", t->name, t->count);
        put_keyed(e, "event_bytes", t->name, t->bytes);
        return;
    }
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "type", t->name);
    tp_field_wide(e, "count", t->count);
    tp_field_wide(e, "bytes", t->bytes);
    tp_fields_close(e, '{');
}

static void put_events(struct tp_emit *e, const struct tp_inventory *s)
{
    struct tp_counts_type types[TP_COUNTS_TYPE_MAX];
    size_t type_count = tp_counts_types(s, types);
    tp_fields_open(e, "events_by_type", '[');
    for (size_t i = 0; i < type_count; i++)
        put_event(e, &types[i]);
    tp_fields_close(e, '[');
}

static void put_damage(struct tp_emit *e, const struct tp_damage *d)
{
    char place[64];
    if (e->csv != NULL) {
        snprintf(place, sizeof place, "%s@%" PRIu64, tp_loss_key(d->kind), d->offset);
        put_keyed(e, "damage", place, d->len_bytes);
        return;
    }
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "kind", tp_loss_key(d->kind));
    tp_field_wide(e, "offset", d->offset);
    tp_field_wide(e, "lost_bytes", d->len_bytes);
    tp_field_wide(e, "generation", d->generation);
    tp_fields_close(e, '{');
}

static void put_damages(struct tp_emit *e, const struct tp_input_report *report)
{
    tp_fields_open(e, "damage", '[');
    for (uint64_t i = 0; i < report->damage_count && i < TP_DAMAGE_KEPT; i++)
        put_damage(e, &report->damage[i]);
    tp_fields_close(e, '[');
}

static void file(struct tp_emit *e, const struct tp_inventory_file *f)
{
    const struct tp_inventory *s = &f->found->all;
    const struct tp_inventory_range *range = &f->found->range;
    const char *path = f->input->path;
    uint32_t minor = f->found->format.minor;
    const char *status = tp_inventory_status(f);
    if (e->csv == NULL)
        tp_fields_open_input(e, path, status);
    else
        tp_fields_name(e, "trace", tp_span_of_text(path));
    tp_field_text(e, "version", tp_versions[tp_version_of(minor)].releases);
    tp_field_wide(e, "go_minor", minor);
    if (e->csv != NULL)
        tp_fields_open_input(e, path, status);
    put_figures(e, s);
    tp_field_known_i64(e, "begin_ns", range->is_known, range->least_ns);
    tp_field_known_i64(e, "end_ns", range->is_known, range->greatest_ns);
    tp_field_known_wide(e, "duration_ns", s->timed_file_count > 0, s->duration_ns);
    tp_field_known_wall(e, "wall_start", s->wall_start.is_known,
                        tp_wall_at(s->wall_start.least_ns));
    put_rate(e, s);
    put_damages(e, f->report);
    tp_field_error(e, &f->report->error);
    put_events(e, s);
    tp_fields_close(e, '{');
}

static void put_version(struct tp_emit *e, const char *name, uint64_t count)
{
    if (e->csv != NULL) {
        put_keyed(e, "versions", name, count);
        return;
    }
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "version", name);
    tp_field_wide(e, "count", count);
    tp_fields_close(e, '{');
}

// Prints the number of inputs by version; versions from before Go 1.22 only if an input has them.
static void put_versions(struct tp_emit *e, const struct tp_inventory *total)
{
    tp_fields_open(e, "versions", '[');
    for (size_t i = 0; i < TP_VERSIONS; i++) {
        uint64_t count = total->version_counts[i];
        if (tp_version_is_v2(tp_versions[i].minor) || count > 0)
            put_version(e, tp_versions[i].releases, count);
    }
    tp_fields_close(e, '[');
}

static void put_total(struct tp_emit *e, const struct tp_inventory_run *run)
{
    const struct tp_inventory *total = &run->total;
    const struct tp_inventory_range *wall = &total->wall_start;
    tp_fields_set_csv(e, NULL, "");
    tp_field_wide(e, "trace_count", tp_inventory_file_count(total));
    tp_field_wide(e, "complete_count", total->complete_count);
    tp_field_wide(e, "damaged_count", total->damaged_count);
    tp_field_wide(e, "refused_count", total->refused_count);
    put_versions(e, total);
    put_figures(e, total);
    tp_field_wide(e, "duration_ns", total->duration_ns);
    tp_field_wide(e, "traces_with_duration", total->timed_file_count);
    tp_field_wide(e, "timed_events_with_duration", total->rated_event_count);
    tp_field_known_wall(e, "wall_start_first", wall->is_known, tp_wall_at(wall->least_ns));
    tp_field_known_wall(e, "wall_start_last", wall->is_known, tp_wall_at(wall->greatest_ns));
    put_rate(e, total);
    put_events(e, total);
}

static void begin_csv(struct tp_emit *e, const struct tp_inventory_run *run)
{
    (void)run;
    tp_emit_text(e, "trace,metric,key,value\n");
}

const struct tp_inventory_printer tp_counts_print_json = {
    .schema = "tracepipe.stats/4", .file = file, .end = put_total};

static const struct tp_csv_form csv_form = {",,", "\n"};
const struct tp_inventory_printer tp_counts_print_csv = {
    .csv = &csv_form, .begin = begin_csv, .file = file, .end = put_total};
