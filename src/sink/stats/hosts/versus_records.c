// The comparison with a baseline, in the JSON and CSV of `stats:level=full`.
#include "sink/stats/findings/print.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/hosts/words.h"

static void put_values(struct tp_emit *e, const struct tp_change *change)
{
    tp_hosts_put_value(e, "before", change->measure, change->values[TP_VERSUS_BEFORE]);
    tp_hosts_put_value(e, "after", change->measure, change->values[TP_VERSUS_AFTER]);
    tp_field_wide(e, "before_host_count", change->host_counts[TP_VERSUS_BEFORE]);
    tp_field_wide(e, "after_host_count", change->host_counts[TP_VERSUS_AFTER]);
    tp_field_ppm(e, "time", tp_wide_limited((tp_wide)change->time * 1000));
}

static void put_change(struct tp_emit *e, const struct tp_versus *v, const struct tp_change *change)
{
    const struct tp_change *beside = tp_versus_beside(v, change);
    const struct tp_source_place place = tp_measure_culprit(change->measure, change->found, change->top);
    tp_fields_open_line(e, NULL, '{');
    tp_field_text(e, "verdict", tp_versus_words[change->verdict]);
    tp_hosts_put_measure(e, change->measure, change->name);
    put_values(e, change);
    tp_finding_put_place(e, v->sides[change->of].totals, &place);
    tp_field_known_text(e, "beside_measure", beside != NULL,
                        beside != NULL ? tp_measure_info(beside->measure).key : NULL);
    tp_field_known_span(e, "beside_name", beside != NULL, beside != NULL ? beside->name : tp_span_of("", 0));
    tp_hosts_put_class_fields(e, change->class, change->class_ns);
    tp_fields_close(e, '{');
}

void tp_full_put_versus(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_versus *v = &r->versus;
    tp_fields_open_line(e, "comparison", '{');
    tp_field_bool(e, "compared", v->is_compared);
    tp_field_bool(e, "few_hosts", v->are_few);
    tp_field_wide(e, "before_trace_count", v->sides[TP_VERSUS_BEFORE].totals->file_count);
    tp_field_wide(e, "before_host_count", v->sides[TP_VERSUS_BEFORE].hosts.count);
    tp_field_wide(e, "after_trace_count", v->sides[TP_VERSUS_AFTER].totals->file_count);
    tp_field_wide(e, "after_host_count", v->sides[TP_VERSUS_AFTER].hosts.count);
    tp_fields_close(e, '{');
    tp_fields_open_line(e, "changes", '[');
    for (uint32_t i = 0; i < v->count; i++)
        put_change(e, v, &v->items[i]);
    tp_fields_close(e, '[');
}

// The name of a row is that of the task, region or function, or of the culprit.
static struct tp_span name_of(const struct tp_versus *v, const struct tp_change *change)
{
    return change->found != NULL
               ? tp_totals_text(v->sides[change->of].totals, change->found->culprit.function)
               : change->name;
}

void tp_full_put_versus_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_versus *v = &r->versus;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct tp_change *change = &v->items[i];
        const struct tp_human kind = tp_human_printf("%s %s", tp_versus_words[change->verdict],
                                                     tp_measure_info(change->measure).key);
        tp_fields_set_csv(e, "change", kind.text);
        tp_fields_name(e, "name", name_of(v, change));
        put_values(e, change);
    }
}
