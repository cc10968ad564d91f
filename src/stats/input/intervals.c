// Adds the time of tasks and regions by class, and the slowest tasks and regions.
#include "merge/tables/text.h"
#include "stats/input/input.h"

// ROWS

// Rows of the totals lie scattered in memory. So up to ROWS_AHEAD rows are found and prefetched before
// anything is added to the first of them.
#define ROWS_AHEAD 16

struct found_rows {
    uint32_t count;
    struct tp_durations_row into[ROWS_AHEAD];
    const struct tp_sums_row *from[ROWS_AHEAD];
};

static void add_found(struct found_rows *found)
{
    for (uint32_t at = 0; at < found->count; at++) {
        const struct tp_sums_row *from = found->from[at];
        struct tp_breakdown_sum sum = {.count = from->count};
        uint64_t elsewhere_ns = from->total_ns;
        for (unsigned i = 0; i < TP_CLASS_COUNTED; i++) {
            sum.ns[i] = from->ns[i];
            elsewhere_ns -= from->ns[i];
        }
        sum.ns[TP_CLASS_ELSEWHERE] = elsewhere_ns;
        for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
            sum.delay_ns[i] = from->delay_ns[i];
        tp_breakdown_sum_join(tp_durations_row_sum(&found->into[at]), &sum);
    }
    found->count = 0;
}

// Finds and prefetches the row of the totals to which `from`, a row of the sums, will be added. False:
// out of memory.
static bool find_row(struct tp_stats_step *step, const struct tp_sums_row *from,
                     struct found_rows *found)
{
    struct tp_totals *totals = &step->c->totals;
    enum tp_durations_space space = TP_SUMS_ROW_SPACE(from->key);
    uint32_t name = tp_stats_name(step, TP_SUMS_ROW_NAME(from->key));
    if (name == TP_INTERN_NONE)
        return false;
    // A name that is new to a limited space may make the totals drop another name with its rows, so rows
    // that were found must be used before.
    bool may_drop = tp_totals_is_limited(space) && !tp_totals_keeps(totals, space, name);
    if (may_drop || found->count == ROWS_AHEAD)
        add_found(found);
    struct tp_durations_row *into = &found->into[found->count];
    if (!tp_totals_known_name(totals, space, &name) ||
        !tp_durations_find_row(&totals->durations, space, name, TP_SUMS_ROW_BUCKET(from->key),
                               into))
        return false;
    found->from[found->count++] = from;
    const char *sum = (const char *)tp_durations_row_sum(into);
    for (size_t at = 0; at < sizeof(struct tp_breakdown_sum); at += TP_CACHE_LINE)
        __builtin_prefetch(sum + at, 1);
    __builtin_prefetch(sum + sizeof(struct tp_breakdown_sum) - 1, 1);
    return true;
}

bool tp_stats_add_rows(struct tp_stats_step *step)
{
    struct found_rows found = {.count = 0};
    bool fits = true;
    for (uint32_t i = 0; i < step->s->rows.count && fits; i++)
        fits = find_row(step, &step->s->rows.items[i], &found);
    add_found(&found);
    return fits;
}

// THE SLOWEST

// Replaces the reference to a text of a log line by a shortened text in the totals. False: out of memory.
static bool translate(struct tp_stats_step *step, struct tp_log_text *text)
{
    struct tp_span whole = tp_text_span(tp_fact_text(text->name, step->s->tables));
    struct tp_span kept = tp_log_text_kept(whole);
    text->name = tp_intern_put(&step->c->totals.names, kept);
    text->left_out_bytes = (uint32_t)(whole.len_bytes - kept.len_bytes);
    return text->name != TP_INTERN_NONE;
}

static bool add_slow(struct tp_stats_step *step, enum tp_slow_kind kind,
                     const struct tp_slow_interval *from)
{
    struct tp_totals *totals = &step->c->totals;
    struct tp_slow_interval slow = *from;
    if (slow.ns < tp_slowest_least_ns(&totals->slow, kind))
        return true;
    slow.name = tp_stats_name(step, slow.name);
    bool fits = slow.name != TP_INTERN_NONE;
    for (uint32_t i = 0; i < slow.logs.count && fits; i++)
        fits = translate(step, &slow.logs.items[i].category) &&
               translate(step, &slow.logs.items[i].message);
    return fits && tp_totals_add_slow(totals, kind, &slow);
}

bool tp_stats_add_slow(struct tp_stats_step *step)
{
    bool fits = true;
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++) {
        const struct tp_slow_part *from = &step->s->slow[kind];
        for (uint32_t i = 0; i < from->items.count && fits; i++)
            fits = add_slow(step, (enum tp_slow_kind)kind, &from->items.items[i]);
    }
    return fits;
}
