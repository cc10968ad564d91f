// Section of a state: where the time of tasks and regions went, by bucket of their durations.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/state/section.h"

// The number that stands for TP_TOTALS_OTHERS in the file; a name is written as its number plus 1.
#define OTHERS 0
// Least size of a row, in bytes: bucket, count and classes.
#define ROW_BYTES 3
// Bit of assists in the set of classes of a row; the bit of a class is its number.
#define ASSIST_BIT TP_CLASS_COUNT

// PUT

static bool is_written(const struct tp_durations_group *g)
{
    return g->dist_count > 0 && g->breakdown != NULL && g->breakdown->order.count > 0;
}

static void use_breakdown(struct tp_state_writer *w)
{
    const struct tp_durations *l = &w->totals->durations;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        if (is_written(g) && g->name != TP_TOTALS_OTHERS)
            tp_state_use(w, TP_STATE_NAME, g->name);
    }
}

static uint32_t name_number(const struct tp_state_writer *w, const struct tp_durations_group *g)
{
    return g->name == TP_TOTALS_OTHERS ? OTHERS : tp_state_number(w, TP_STATE_NAME, g->name) + 1;
}

static int compare_groups(const void *left, const void *right, void *ctx)
{
    const struct tp_durations_group *a = *(const struct tp_durations_group *const *)left;
    const struct tp_durations_group *b = *(const struct tp_durations_group *const *)right;
    int order = tp_compare_u64(a->space, b->space);
    return order != 0 ? order : tp_compare_u64(name_number(ctx, a), name_number(ctx, b));
}

// Puts the classes in which there is time as a set, then their times.
static void put_sum(struct tp_state_writer *w, const struct tp_breakdown_sum *sum)
{
    unsigned set = sum->assist_ns > 0 ? 1u << ASSIST_BIT : 0;
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        set |= sum->ns[i] > 0 ? 1u << i : 0;
    tp_state_put(w, sum->count);
    tp_state_put(w, set);
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        if (sum->ns[i] > 0)
            tp_state_put_wide(w, sum->ns[i]);
    }
    if (sum->assist_ns > 0)
        tp_state_put_wide(w, sum->assist_ns);
}

static void put_rows(struct tp_state_writer *w, const struct tp_breakdown *b)
{
    unsigned before = 0;
    tp_state_put(w, b->order.count);
    for (uint32_t i = 0; i < b->order.count; i++) {
        unsigned bucket;
        const struct tp_breakdown_sum *sum = tp_breakdown_at(b, i, &bucket);
        tp_state_put(w, bucket - before);
        put_sum(w, sum);
        before = bucket;
    }
}

static void put_breakdown(struct tp_state_writer *w)
{
    const struct tp_durations *l = &w->totals->durations;
    const struct tp_durations_group **sorted = tp_state_items(w, l->groups.count, sizeof *sorted);
    size_t count = 0;
    if (sorted == NULL)
        return;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        if (is_written(&l->groups.items[i]))
            sorted[count++] = &l->groups.items[i];
    }
    qsort_r(sorted, count, sizeof *sorted, compare_groups, w);
    for (size_t i = 0; i < count; i++) {
        tp_state_put(w, sorted[i]->space);
        tp_state_put(w, name_number(w, sorted[i]));
        put_rows(w, sorted[i]->breakdown);
    }
    tp_free(sorted);
}

// GET

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
    else if (sum->assist_ns > ns)
        tp_state_refuse(r, "more assist time than total time");
}

static void get_sum(struct tp_state_reader *r, struct tp_breakdown_sum *sum)
{
    *sum = (struct tp_breakdown_sum){.count = tp_state_get(r)};
    uint32_t set = tp_state_get_below(r, 1u << (ASSIST_BIT + 1), "class of time");
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        if ((set >> i & 1) != 0)
            sum->ns[i] = tp_state_get_wide(r);
    }
    if ((set >> ASSIST_BIT & 1) != 0)
        sum->assist_ns = tp_state_get_wide(r);
}

// Refuses a row with more intervals than the histogram has of this bucket. `walk` is at a bucket
// below, or at its beginning.
static void check_count(struct tp_state_reader *r, struct tp_hist_walk *walk, unsigned bucket,
                        uint64_t count)
{
    bool is_there;
    do
        is_there = tp_hist_walk_next(walk);
    while (is_there && walk->bucket < bucket);
    if (!is_there || walk->bucket != bucket || count > walk->count)
        tp_state_refuse(r, "time by state of more tasks or regions than exist");
}

static void get_rows(struct tp_state_reader *r, struct tp_durations *l, uint32_t group)
{
    uint32_t count = tp_state_get_count(r, ROW_BYTES);
    struct tp_breakdown *b = r->code == 0 ? tp_durations_make_breakdown(l, group) : NULL;
    struct tp_hist_walk walk = {.hist = &l->groups.items[group].dists[0]->hist};
    unsigned bucket = 0;
    if (b == NULL) {
        tp_state_lack_memory(r);
        return;
    }
    uint32_t before = b->rows.count;
    for (uint32_t i = 0; i < count && r->code == 0; i++) {
        struct tp_breakdown_sum sum;
        unsigned step = tp_state_get_below(r, TP_HIST_BUCKETS - bucket, "size of durations");
        bucket += step;
        get_sum(r, &sum);
        if (r->code == 0 && i > 0 && step == 0)
            tp_state_refuse(r, "duplicate size of durations");
        if (r->code == 0)
            check_sum(r, bucket, &sum);
        if (r->code == 0)
            check_count(r, &walk, bucket, sum.count);
        struct tp_breakdown_sum *row = r->code == 0 ? tp_breakdown_make_row(b, bucket) : NULL;
        if (row != NULL)
            tp_breakdown_sum_join(row, &sum);
        else
            tp_state_lack_memory(r);
    }
    tp_durations_count_rows(l, b, before);
}

// Returns the group of tasks or regions that comes next; TP_DURATIONS_NONE: refused.
static uint32_t get_group(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    unsigned space = tp_state_get_below(r, TP_SPACE_REGION + 1, "kind of group");
    uint32_t number = tp_state_get_below(r, (uint64_t)s->names.count + 1, "name");
    if (r->code == 0 && space != TP_SPACE_TASK && space != TP_SPACE_REGION)
        tp_state_refuse(r, "time by state of neither a task nor a region");
    if (r->code != 0)
        return TP_DURATIONS_NONE;
    uint32_t group = tp_durations_group_of(&s->durations, (enum tp_durations_space)space,
                                           number == OTHERS ? TP_TOTALS_OTHERS : number - 1);
    if (group == TP_DURATIONS_NONE) {
        tp_state_lack_memory(r);
        return group;
    }
    const struct tp_durations_group *g = &s->durations.groups.items[group];
    if (g->dist_count == 0 || g->dists[0] == NULL)
        tp_state_refuse(r, "time by state of missing tasks or regions");
    else if (g->breakdown != NULL)
        tp_state_refuse(r, "duplicate time of a name");
    return r->code == 0 ? group : TP_DURATIONS_NONE;
}

static void get_breakdown(struct tp_state_reader *r)
{
    while (tp_state_has_more(r) && r->code == 0) {
        uint32_t group = get_group(r);
        if (group != TP_DURATIONS_NONE)
            get_rows(r, &r->totals->durations, group);
    }
}

const struct tp_section tp_section_breakdown = {
    .use = use_breakdown, .put = put_breakdown, .get = get_breakdown};
