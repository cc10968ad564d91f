// Section of a state: where the time of tasks and regions went, by bucket of their durations.
#include "stats/state/section.h"

struct sum_row {
    uint32_t space;  // TP_SPACE_TASK or TP_SPACE_REGION
    uint32_t name;   // TP_INTERN_NONE: others
    uint32_t bucket;
    struct tp_breakdown_sum sum;
};

static void visit_sum(struct tp_state_visit *v, void *row)
{
    struct sum_row *of = row;
    tp_visit_below(v, &of->space, TP_SPACE_REGION + 1, "kind of group");
    tp_visit_any(v, &of->name, TP_SECTION_names);
    tp_visit_below(v, &of->bucket, TP_HIST_BUCKETS, "size of durations");
    tp_visit_u64(v, &of->sum.count);
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        tp_visit_wide(v, &of->sum.ns[i]);
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
        tp_visit_wide(v, &of->sum.delay_ns[i]);
}

static bool list_sums(const struct tp_totals *s, struct tp_state_refs *refs)
{
    const struct tp_durations *l = &s->durations;
    for (uint64_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        uint32_t count = g->dist_count > 0 && g->breakdown != NULL ? g->breakdown->order.count : 0;
        for (uint32_t at = 0; at < count; at++) {
            if (!TP_LIST_ADD(refs, i << 32 | at))
                return false;
        }
    }
    return true;
}

static void load_sum(const struct tp_totals *s, uint64_t ref, void *row)
{
    const struct tp_durations_group *g = &s->durations.groups.items[ref >> 32];
    struct sum_row *of = row;
    of->space = g->space;
    of->name = g->name;
    of->sum = *tp_breakdown_at(g->breakdown, (uint32_t)ref, &of->bucket);
}

// Refuses a sum that cannot be that of `sum->count` durations of this bucket.
static void check_sum(struct tp_state_reader *r, unsigned bucket,
                      const struct tp_breakdown_sum *sum)
{
    tp_wide low_ns = tp_hist_bucket_low(bucket);
    tp_wide high_ns = low_ns + (tp_hist_bucket_width(bucket) - 1);
    tp_wide ns = tp_breakdown_sum_ns(sum);
    if (sum->count == 0)
        tp_state_refuse(r, "time by state without tasks or regions");
    else if (ns < low_ns * sum->count || ns > high_ns * sum->count)
        tp_state_refuse(r, "times by state do not add up to the durations");
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++) {
        if (sum->delay_ns[i] > ns)
            tp_state_refuse(r, "more assist or stopped time than total time");
    }
}

// Returns the breakdown to which a row belongs. NULL: refused.
static struct tp_breakdown *find_breakdown(struct tp_state_reader *r, const struct sum_row *of)
{
    struct tp_durations *l = &r->totals->durations;
    enum tp_durations_space space = (enum tp_durations_space)of->space;
    uint32_t name = of->name != TP_INTERN_NONE ? of->name : TP_TOTALS_OTHERS;
    if (space != TP_SPACE_TASK && space != TP_SPACE_REGION)
        tp_state_refuse(r, "time by state of neither a task nor a region");
    else if (tp_durations_find(l, space, name, 0) == NULL)
        tp_state_refuse(r, "time by state of missing tasks or regions");
    if (r->code != 0)
        return NULL;
    uint32_t group = tp_durations_group_of(l, space, name);
    struct tp_breakdown *b = tp_durations_make_breakdown(l, group);
    if (b == NULL)
        tp_state_lack_memory(r);
    return b;
}

static void add_sum(struct tp_state_reader *r, const void *row)
{
    const struct sum_row *of = row;
    struct tp_breakdown *b = find_breakdown(r, of);
    unsigned last = 0;
    check_sum(r, of->bucket, &of->sum);
    if (r->code != 0)
        return;
    if (b->order.count > 0)
        (void)tp_breakdown_at(b, b->order.count - 1, &last);
    uint32_t before = b->rows.count;
    if (before > 0 && of->bucket <= last)
        tp_state_refuse(r, "duplicate size of durations");
    struct tp_breakdown_sum *sum = r->code == 0 ? tp_breakdown_make_row(b, of->bucket) : NULL;
    if (sum != NULL)
        *sum = of->sum;
    else
        tp_state_lack_memory(r);
    tp_durations_count_rows(&r->totals->durations, b, before);
}

// Refuses more intervals of a bucket than the histogram of the group has.
static void check_group(struct tp_state_reader *r, const struct tp_durations_group *g)
{
    struct tp_hist_walk walk = {.hist = &g->dists[0]->hist};
    bool is_there = tp_hist_walk_next(&walk);
    for (uint32_t i = 0; i < g->breakdown->order.count; i++) {
        unsigned bucket;
        const struct tp_breakdown_sum *sum = tp_breakdown_at(g->breakdown, i, &bucket);
        while (is_there && walk.bucket < bucket)
            is_there = tp_hist_walk_next(&walk);
        if (!is_there || walk.bucket != bucket || sum->count > walk.count)
            tp_state_refuse(r, "time by state of more tasks or regions than exist");
    }
}

static void check_breakdown(struct tp_state_reader *r)
{
    const struct tp_durations *l = &r->totals->durations;
    for (uint32_t i = 0; i < l->groups.count && r->code == 0; i++) {
        if (l->groups.items[i].breakdown != NULL)
            check_group(r, &l->groups.items[i]);
    }
}

const struct tp_section tp_section_breakdown = {.visit = visit_sum,
                                                .row_bytes = sizeof(struct sum_row),
                                                .list = list_sums,
                                                .load = load_sum,
                                                .add = add_sum,
                                                .check = check_breakdown};
