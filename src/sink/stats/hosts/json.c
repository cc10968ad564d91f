// The hosts that differ, in the JSON and CSV of `stats:level=full`.
#include "sink/stats/findings/print.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/hosts/words.h"

static const char *const unit_names[] = {
    [TP_UNIT_GOROUTINES] = "goroutines", [TP_UNIT_PS] = "Ps",
    [TP_UNIT_BYTES] = "bytes",           [TP_UNIT_PER_SECOND] = "events per second",
    [TP_UNIT_NS] = "ns",
};

void tp_hosts_put_value(struct tp_emit *e, const char *key, enum tp_host_measure measure, uint64_t value)
{
    switch (tp_measure_info(measure).unit) {
    case TP_UNIT_OF_FINDING: tp_field_ppm(e, key, value); break;
    case TP_UNIT_GOROUTINES:
    case TP_UNIT_PS: tp_field_ppm(e, key, tp_wide_limited((tp_wide)value * 1000)); break;
    default: tp_field_wide(e, key, value); break;
    }
}

void tp_hosts_put_measure(struct tp_emit *e, enum tp_host_measure measure, struct tp_span name)
{
    const struct tp_measure_info info = tp_measure_info(measure);
    tp_field_text(e, "measure", info.key);
    tp_field_known_span(e, "name", tp_is_top_measure(measure), name);
    tp_field_text(e, "unit",
                  info.unit == TP_UNIT_OF_FINDING
                      ? tp_finding_unit_name(tp_finding_kinds[measure].unit)
                      : unit_names[info.unit]);
}

void tp_hosts_put_class_fields(struct tp_emit *e, enum tp_class class, uint64_t ns)
{
    tp_field_known_text(e, "time_class", ns > 0, tp_class_words(class));
    tp_field_wide(e, "class_ns", ns);
}

static void put_difference(struct tp_emit *e, const struct tp_full_report *r,
                           const struct tp_difference *d)
{
    tp_fields_open(e, NULL, '{');
    tp_hosts_put_measure(e, d->measure, tp_full_text(r, d->name));
    tp_hosts_put_value(e, "value", d->measure, d->value);
    tp_hosts_put_value(e, "fleet_value", d->measure, d->fleet_value);
    tp_field_ppm(e, "severity", d->severity_ppm);
    tp_hosts_put_class_fields(e, d->class, d->class_ns);
    const struct tp_source_place culprit = tp_measure_culprit(d->measure, d->found, d->top);
    tp_finding_put_place(e, r->totals, &culprit);
    tp_fields_close(e, '{');
}

static void put_host(struct tp_emit *e, const struct tp_full_report *r,
                     const struct tp_differing_host *differing)
{
    const struct tp_host *host = &r->differs.hosts.items[differing->host];
    tp_fields_open_line(e, NULL, '{');
    tp_field_span(e, "host", tp_totals_text(r->totals, host->name));
    tp_hosts_put_value(e, "gomaxprocs", TP_HOST_PROCS, tp_host_value(host, TP_HOST_PROCS));
    tp_hosts_put_value(e, "fleet_gomaxprocs", TP_HOST_PROCS, r->differs.fleet_procs);
    tp_fields_open(e, "differences", '[');
    for (uint32_t i = 0; i < differing->count; i++)
        put_difference(e, r, &r->differs.differences.items[differing->first + i]);
    tp_fields_close(e, '[');
    tp_fields_close(e, '{');
}

static void put_group_values(struct tp_emit *e, const struct tp_two_groups *g)
{
    tp_field_wide(e, "low_count", g->low_count);
    tp_hosts_put_value(e, "low_value", g->measure, g->low);
    tp_field_wide(e, "high_count", g->high_count);
    tp_hosts_put_value(e, "high_value", g->measure, g->high);
}

static void put_groups(struct tp_emit *e, const struct tp_full_report *r, const struct tp_two_groups *g)
{
    tp_fields_open_line(e, NULL, '{');
    tp_hosts_put_measure(e, g->measure, tp_full_text(r, g->name));
    put_group_values(e, g);
    tp_fields_close(e, '{');
}

// The name of a difference is that of the top, or of the culprit.
void tp_full_put_hosts_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_differs *d = &r->differs;
    for (uint32_t i = 0; i < d->count; i++) {
        for (uint32_t k = 0; k < d->items[i].count; k++) {
            const struct tp_difference *of = &d->differences.items[d->items[i].first + k];
            uint32_t name = of->found != NULL ? of->found->culprit.function : of->name;
            tp_fields_set_csv(e, "host", tp_measure_info(of->measure).key);
            tp_fields_name(e, "host", tp_full_text(r, d->hosts.items[of->host].name));
            if (name != TP_INTERN_NONE)
                tp_field_span(e, "name", tp_full_text(r, name));
            tp_hosts_put_value(e, "value", of->measure, of->value);
            tp_hosts_put_value(e, "fleet_value", of->measure, of->fleet_value);
            tp_field_ppm(e, "severity", of->severity_ppm);
        }
    }
    for (uint32_t i = 0; i < d->groups.count; i++) {
        const struct tp_two_groups *g = &d->groups.items[i];
        tp_fields_set_csv(e, "two_groups", tp_measure_info(g->measure).key);
        tp_fields_name(e, "name", tp_full_text(r, g->name));
        put_group_values(e, g);
    }
}

void tp_full_put_hosts(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_differs *d = &r->differs;
    tp_fields_open_line(e, "hosts", '{');
    tp_field_bool(e, "compared", d->is_compared);
    tp_field_wide(e, "count", d->hosts.count);
    tp_field_wide(e, "differing_count", d->count);
    tp_field_wide(e, "not_compared_count", d->not_compared_count);
    tp_fields_close(e, '{');
    tp_fields_open_line(e, "differs", '[');
    for (uint32_t i = 0; i < d->count; i++)
        put_host(e, r, &d->items[i]);
    tp_fields_close(e, '[');
    tp_fields_open_line(e, "two_groups", '[');
    for (uint32_t i = 0; i < d->groups.count; i++)
        put_groups(e, r, &d->groups.items[i]);
    tp_fields_close(e, '[');
}
