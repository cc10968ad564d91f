#include "stats/hosts/tops.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"
#include "stats/idle_waits.h"

static bool is_greater(const struct tp_totals *s, const struct tp_file_top *a, const struct tp_file_top *b)
{
    return (tp_compare_u64(b->total_ns, a->total_ns)
            ?: tp_compare_u64(b->count, a->count)
            ?: tp_totals_compare_texts(s, a->name, b->name)) < 0;
}

// Puts one among the greatest of its kind, with its times if the kind has them, else NULL. Equal ones: the first
// name by its text.
static void keep(const struct tp_totals *s, struct tp_file_row *row, enum tp_top_kind kind,
                 const struct tp_file_top *top, const struct tp_file_times *times)
{
    struct tp_file_top *tops = row->tops[kind];
    uint32_t count = row->top_counts[kind], at = count;
    while (at > 0 && is_greater(s, top, &tops[at - 1]))
        at--;
    bool is_full = count == TP_TOPS_PER_KIND;
    row->more_tops[kind] += is_full;
    if (at == TP_TOPS_PER_KIND)
        return;
    row->top_counts[kind] += !is_full;
    memmove(tops + at + 1, tops + at, (count - is_full - at) * sizeof *tops);
    tops[at] = *top;
    if (times != NULL) {
        struct tp_file_times *all = row->times[kind];
        memmove(all + at + 1, all + at, (count - is_full - at) * sizeof *all);
        all[at] = *times;
    }
}

static struct tp_file_times times_of(const struct tp_durations_group *g)
{
    const struct tp_dist *d = g->dists[0];
    struct tp_file_times times = {.mean_ns = tp_wide_ratio(d->total_ns, 1, d->count),
                                  .p50_ns = tp_dist_quantile_ns(d, 500),
                                  .p99_ns = tp_dist_quantile_ns(d, 990)};
    if (g->breakdown == NULL)
        return times;
    const struct tp_breakdown_sum median = tp_breakdown_part_of(g->breakdown, TP_BREAKDOWN_MEDIAN);
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        times.class_ns[i] = tp_wide_ratio(median.ns[i], 1, median.count);
    return times;
}

static void add_durations(const struct tp_totals *s, struct tp_file_row *row)
{
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        bool is_task = g->space == TP_SPACE_TASK;
        if ((!is_task && g->space != TP_SPACE_REGION) || g->dist_count == 0 ||
            g->name == TP_TOTALS_OTHERS)
            continue;
        const struct tp_dist *d = g->dists[0];
        const struct tp_file_top top = {.name = g->name,
                                        .file = TP_INTERN_NONE,
                                        .count = d->count,
                                        .total_ns = tp_wide_limited(tp_dist_all_ns(d))};
        const struct tp_file_times times = times_of(g);
        keep(s, row, is_task ? TP_TOP_TASK : TP_TOP_REGION, &top, &times);
    }
}

static void add_starts(const struct tp_totals *s, struct tp_file_row *row)
{
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space != TP_SPACE_GOROUTINE || g->name == TP_TOTALS_OTHERS ||
            tp_totals_text(s, g->name).len_bytes == 0)
            continue;
        const struct tp_dist *run = tp_durations_find(&s->durations, TP_SPACE_GOROUTINE, g->name, TP_MEASURE_RUN);
        const struct tp_dist *life = tp_durations_find(&s->durations, TP_SPACE_GOROUTINE, g->name, TP_MEASURE_LIFE);
        const struct tp_file_top top = {.name = g->name,
                                        .file = TP_INTERN_NONE,
                                        .count = life != NULL ? tp_wide_limited(tp_dist_all_count(life)) : 0,
                                        .total_ns = run != NULL ? tp_wide_limited(tp_dist_all_ns(run)) : 0};
        keep(s, row, TP_TOP_START, &top, NULL);
    }
}

static bool add_events(struct tp_totals *s, const uint64_t event_counts[TP_EVENT_TYPES])
{
    for (unsigned type = 0; type < TP_EVENT_TYPES; type++) {
        const struct tp_event event = {.type = (uint8_t)type};
        if (event_counts[type] == 0)
            continue;
        uint32_t name = tp_intern_put(&s->names, tp_span_of_text(tp_event_type_name(&event)));
        if (name == TP_INTERN_NONE)
            return false;
        const struct tp_file_top top = {.name = name, .file = TP_INTERN_NONE, .count = event_counts[type]};
        keep(s, &s->files.items[s->files.count - 1], TP_TOP_EVENT, &top, NULL);
    }
    return true;
}

// WAITS

static bool is_wait(unsigned type)
{
    switch (type) {
    case TP_STACK_NET:
    case TP_STACK_SYNC:
    case TP_STACK_SYSCALL:
    case TP_STACK_NET_OPEN:
    case TP_STACK_SYNC_OPEN:
    case TP_STACK_SYSCALL_OPEN:
    case TP_STACK_BEFORE: return true;
    default: return false;
    }
}

// Adds up the waits by the function of the program in which they are.
static bool add_waits(const struct tp_totals *s, struct tp_file_row *row)
{
    struct tp_shares waits = {0};
    bool fits = true;
    for (uint32_t i = 0; i < s->by_stack.count && fits; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        uint32_t stack = tp_stack_count_stack(c);
        unsigned type = tp_stack_count_type(c);
        if (!is_wait(type) || tp_stack_is_idle(s, stack, type) || !tp_stack_has_program(s, stack))
            continue;
        const struct tp_source_place place = tp_source_place_of(s, stack, type);
        fits = tp_shares_add(&waits, &place, c->total_ns);
    }
    tp_shares_sort(&waits, s);
    for (uint32_t first = 0, end; first < waits.count && fits; first = end) {
        const struct tp_share *most = &waits.items[first];
        bool has_name = tp_totals_text(s, most->place.function).len_bytes > 0;
        tp_wide ns = most->part;
        for (end = first + 1;
             end < waits.count && tp_source_place_compare_functions(s, &waits.items[end].place,
                                                                    &most->place) == 0;
             end++) {
            const struct tp_share *share = &waits.items[end];
            ns = tp_wide_add(ns, share->part);
            most = share->part > most->part ? share : most;
        }
        const struct tp_file_top top = {.name = most->place.function,
                                        .file = most->place.file,
                                        .line = most->place.line,
                                        .total_ns = tp_wide_limited(ns)};
        if (has_name)
            keep(s, row, TP_TOP_WAIT, &top, NULL);
    }
    tp_free(waits.items);
    return fits;
}

bool tp_hosts_add_tops(struct tp_totals *s, const uint64_t event_counts[TP_EVENT_TYPES])
{
    struct tp_file_row *row = &s->files.items[s->files.count - 1];
    add_durations(s, row);
    add_starts(s, row);
    return add_waits(s, row) && add_events(s, event_counts);
}
