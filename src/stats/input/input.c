#include "stats/input/input.h"

#include "base/alloc.h"
#include "stats/pack.h"

void tp_stats_input_fini(struct tp_stats_input *c)
{
    tp_totals_fini(&c->totals);
    tp_free(c->levels.buckets.items);
    tp_free(c->names_of_strings.items);
    tp_free(c->measures_of_reasons.items);
    tp_free(c->stack_numbers.items);
    tp_map_fini(&c->numbers_of_stacks);
    tp_free(c->frames);
    tp_history_input_fini(&c->history);
    tp_peaks_fini(&c->peaks);
    tp_intern_fini(&c->peak_names);
    tp_gc_curve_destroy(c->gc.curve);
    TP_SLAB_FINI(&c->gc.gs);
    *c = (struct tp_stats_input){0};
}

size_t tp_stats_input_bytes(const struct tp_stats_input *c)
{
    return tp_totals_bytes(&c->totals) + tp_history_input_bytes(&c->history) +
           tp_peaks_bytes(&c->peaks) + tp_intern_bytes(&c->peak_names);
}

struct tp_sums_floor tp_stats_input_floor(const struct tp_stats_input *c)
{
    struct tp_sums_floor floor = {.longest_ns = tp_top_goroutines_least_ns(&c->totals.gs)};
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++)
        floor.slow_ns[i] = tp_slowest_least_ns(&c->totals.slow, (enum tp_slow_kind)i);
    return floor;
}

static void add_times(struct tp_stats_input *c, const struct tp_sums *s)
{
    if (s->event_count == 0)
        return;
    if (!c->has_events)
        c->first_ns = s->first_ns;
    c->last_ns = s->last_ns;
    c->totals.event_count += s->event_count;
    for (unsigned type = 0; type < TP_EVENT_TYPES; type++)
        c->event_counts[type] += s->event_counts[type];
    // The first string of the tables is always the empty one.
    if (s->tables != NULL && s->tables->strings.count <= 1)
        c->nameless_count += s->event_count;
}

int tp_stats_input_add(struct tp_stats_input *c, const struct tp_sums *s, struct tp_error *err)
{
    struct tp_stats_step step = {c, s};
    int rc = tp_stats_add_gc(&step, err);
    if (rc != 0)
        return rc;
    if (tp_totals_is_loose(&c->totals) && !tp_totals_pack(&c->totals))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    add_times(c, s);
    tp_sums_samples_join(&c->samples, &s->samples);
    if (!tp_stats_forget_stacks(&step) || !tp_stats_forget_words(&step) ||
        !tp_stats_add_durations(&step) || !tp_stats_add_longest(&step) ||
        !tp_stats_add_stacks(&step) || !tp_stats_add_labelled(&step) ||
        !tp_stats_add_rows(&step) || !tp_stats_add_slow(&step) ||
        !tp_stats_add_evidence(&step) || !tp_stats_add_peaks(&step) ||
        (tp_stats_wants(c, TP_PART_TIMELINE) && !tp_stats_add_levels(&step)))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    c->has_events = c->has_events || s->event_count > 0;
    if (c->totals.reasons.count > TP_TOTALS_REASONS_MAX)
        return tp_totals_fail_reasons(err);
    return 0;
}

int tp_stats_input_end(struct tp_stats_input *c, struct tp_error *err)
{
    if (tp_stats_wants(c, TP_PART_TIMELINE) && !tp_stats_end_levels(c))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    if (!tp_stats_end_peaks(c))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    c->totals.duration_ns = (uint64_t)(c->last_ns - c->first_ns);
    c->totals.sample_count = c->samples.count;
    if (c->samples.count > 0)
        c->totals.sample_span_ns = (uint64_t)c->samples.last_ns - (uint64_t)c->samples.first_ns;
    return tp_stats_end_gc(c, err);
}
