// Sections of a state: groups of the durations, with their distributions. Those of
// TP_SPACE_WAKE have a section of their own, because pairs, which are their names, come after
// stacks, and these after the other groups.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/figures/stack_sums.h"
#include "stats/file_tasks.h"
#include "stats/state/section.h"

// The number that stands for TP_TOTALS_OTHERS in the file; a name is written as its number plus 1.
#define OTHERS 0

// Least size of a distribution, in bytes: six numbers, and the number of its buckets.
#define DIST_BYTES 7
#define BUCKET_BYTES 2

// The sections in which groups are written.
enum section { IN_GROUPS, IN_WAKES, NOWHERE };

// Evidence is not written: findings are judged before a state is written.
static enum section section_of_space(enum tp_durations_space space)
{
    switch (space) {
    case TP_SPACE_WAKE: return IN_WAKES;
    case TP_SPACE_UNNAMED:
    case TP_SPACE_EVIDENCE: return NOWHERE;
    default: return IN_GROUPS;
    }
}

// Groups that are empty, because their distributions were moved to another group, are not written.
static enum section section_of(const struct tp_durations_group *g)
{
    return g->dist_count > 0 ? section_of_space((enum tp_durations_space)g->space) : NOWHERE;
}

static enum tp_state_kind kind_of_name(enum tp_durations_space space)
{
    return space == TP_SPACE_WAKE ? TP_STATE_PAIR : TP_STATE_NAME;
}

static void use(struct tp_state_writer *w, enum section section)
{
    const struct tp_durations *l = &w->totals->durations;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        enum tp_durations_space space = (enum tp_durations_space)g->space;
        if (section_of(g) != section)
            continue;
        if (g->name != TP_TOTALS_OTHERS)
            tp_state_use(w, kind_of_name(space), g->name);
        struct tp_durations_walk walk = {.group = g};
        while (tp_has_reasons(space) && tp_durations_walk_next(&walk)) {
            if (walk.measure >= TP_MEASURE_FIRST_BLOCK)
                tp_state_use(w, TP_STATE_REASON, walk.measure - TP_MEASURE_FIRST_BLOCK);
        }
    }
}

static void use_groups(struct tp_state_writer *w)
{
    use(w, IN_GROUPS);
}

static void use_wakes(struct tp_state_writer *w)
{
    use(w, IN_WAKES);
}

// PUT

static void put_hist(struct tp_state_writer *w, const struct tp_hist *h)
{
    struct tp_hist_walk walk = {.hist = h};
    unsigned count = 0, before = 0;
    while (tp_hist_walk_next(&walk))
        count++;
    tp_state_put(w, count);
    walk = (struct tp_hist_walk){.hist = h};
    while (tp_hist_walk_next(&walk)) {
        tp_state_put(w, walk.bucket - before);
        tp_state_put(w, walk.count);
        before = walk.bucket;
    }
}

// Returns the number of a measure in the state. Fixed measures have even numbers, reasons of
// blocking odd ones, so that both lists can grow.
static uint64_t measure_number(const struct tp_state_writer *w, enum tp_durations_space space,
                               uint32_t measure)
{
    if (space == TP_SPACE_COARSE)
        return measure;
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return 2 * (uint64_t)measure;
    uint32_t reason = measure - TP_MEASURE_FIRST_BLOCK;
    return 2 * (uint64_t)tp_state_number(w, TP_STATE_REASON, reason) + 1;
}

static void put_dist(struct tp_state_writer *w, uint64_t measure, const struct tp_dist *d)
{
    tp_state_put(w, measure);
    tp_state_put(w, d->count);
    tp_state_put_wide(w, d->total_ns);
    tp_state_put(w, d->max_ns);
    tp_state_put(w, tp_dist_cut_count(d));
    tp_state_put_wide(w, tp_dist_cut_ns(d));
    put_hist(w, &d->hist);
}

struct numbered {
    uint64_t number;
    bool is_reason;
    const struct tp_dist *dist;
};

// Orders fixed measures before reasons.
static int compare_numbered(const void *left, const void *right)
{
    const struct numbered *a = left, *b = right;
    if (a->is_reason != b->is_reason)
        return a->is_reason ? 1 : -1;
    return tp_compare_u64(a->number, b->number);
}

static void put_dists(struct tp_state_writer *w, const struct tp_durations_group *g)
{
    struct tp_durations_walk walk = {.group = g};
    size_t count = 0;
    while (tp_durations_walk_next(&walk))
        count++;
    struct numbered *sorted = tp_state_items(w, count, sizeof *sorted);
    if (sorted == NULL)
        return;
    walk = (struct tp_durations_walk){.group = g};
    for (size_t i = 0; tp_durations_walk_next(&walk); i++) {
        enum tp_durations_space space = (enum tp_durations_space)g->space;
        bool is_reason = tp_has_reasons(space) && walk.measure >= TP_MEASURE_FIRST_BLOCK;
        sorted[i] = (struct numbered){measure_number(w, space, walk.measure), is_reason,
                                      walk.dist};
    }
    qsort(sorted, count, sizeof *sorted, compare_numbered);
    tp_state_put(w, count);
    for (size_t i = 0; i < count; i++)
        put_dist(w, sorted[i].number, sorted[i].dist);
    tp_free(sorted);
}

static uint32_t name_number(const struct tp_state_writer *w, const struct tp_durations_group *g)
{
    enum tp_state_kind kind = kind_of_name((enum tp_durations_space)g->space);
    return g->name == TP_TOTALS_OTHERS ? OTHERS : tp_state_number(w, kind, g->name) + 1;
}

static int compare_groups(const void *left, const void *right, void *ctx)
{
    const struct tp_durations_group *a = *(const struct tp_durations_group *const *)left;
    const struct tp_durations_group *b = *(const struct tp_durations_group *const *)right;
    int order = tp_compare_u64(a->space, b->space);
    return order != 0 ? order : tp_compare_u64(name_number(ctx, a), name_number(ctx, b));
}

static void put(struct tp_state_writer *w, enum section section)
{
    const struct tp_durations *l = &w->totals->durations;
    const struct tp_durations_group **sorted = tp_state_items(w, l->groups.count, sizeof *sorted);
    size_t count = 0;
    if (sorted == NULL)
        return;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        if (section_of(&l->groups.items[i]) == section)
            sorted[count++] = &l->groups.items[i];
    }
    qsort_r(sorted, count, sizeof *sorted, compare_groups, w);
    for (size_t i = 0; i < count; i++) {
        tp_state_put(w, sorted[i]->space);
        tp_state_put(w, name_number(w, sorted[i]));
        put_dists(w, sorted[i]);
    }
    tp_free(sorted);
}

static void put_groups(struct tp_state_writer *w)
{
    put(w, IN_GROUPS);
}

static void put_wakes(struct tp_state_writer *w)
{
    put(w, IN_WAKES);
}

// GET

// Facts that follow from the buckets of a histogram: the number of durations, and the bounds of
// their sum. The number may overflow its 64 bits; the bounds have 128 bits.
struct contents {
    uint64_t count;
    bool has_overflow; // `count` has exceeded 64 bits
    tp_wide least_ns;
    tp_wide most_ns;
    unsigned last_bucket;
};

static void get_hist(struct tp_state_reader *r, struct tp_hist *h, struct contents *ret_contents)
{
    uint32_t count = tp_state_get_count(r, BUCKET_BYTES);
    struct contents c = {0};
    unsigned bucket = 0;
    for (uint32_t i = 0; i < count && r->code == 0; i++) {
        bucket += tp_state_get_below(r, TP_HIST_BUCKETS - bucket, "size of durations");
        uint64_t number = tp_state_get(r);
        uint64_t low_ns = tp_hist_bucket_low(bucket);
        if (r->code == 0 &&
            !tp_hist_add_measured(h, bucket, number, &r->totals->durations.hist_bytes))
            tp_state_lack_memory(r);
        c.has_overflow = c.has_overflow || __builtin_add_overflow(c.count, number, &c.count);
        c.least_ns += (tp_wide)low_ns * number;
        c.most_ns += (tp_wide)(low_ns + (tp_hist_bucket_width(bucket) - 1)) * number;
        c.last_bucket = bucket;
    }
    *ret_contents = c;
}

static void check_dist(struct tp_state_reader *r, const struct tp_dist *d,
                       const struct contents *c)
{
    if (c->has_overflow || c->count != d->count)
        tp_state_refuse(r, "the count of durations differs from the histogram");
    else if (d->count == 0 ? d->max_ns != 0 : tp_hist_bucket(d->max_ns) != c->last_bucket)
        tp_state_refuse(r, "the maximum differs from the histogram");
    else if (d->total_ns < c->least_ns || d->total_ns > c->most_ns)
        tp_state_refuse(r, "durations do not add up to the histogram");
    else if (tp_dist_cut_count(d) == 0 && (tp_dist_cut_ns(d) != 0 || d->count == 0))
        tp_state_refuse(r, "durations with a count of 0");
}

// Returns why a distribution that has only a count and a total was refused; NULL: those of this
// space and measure have single durations, too.
static const char *counted_words(enum tp_durations_space space, uint32_t measure)
{
    if (space == TP_SPACE_LOG)
        return "log messages with durations, or with a count of 0";
    if (space == TP_SPACE_COARSE)
        return "folded stacks with a histogram, or with a count of 0";
    return space == TP_SPACE_WAKE && measure == TP_WAKE_BLAMED
               ? "blame with a histogram, or with a count of 0"
               : NULL;
}

// Checks a distribution that must have a count, and no single durations; that of log messages must
// have no total either.
static void check_counted(struct tp_state_reader *r, const struct tp_dist *d,
                          const struct contents *c, enum tp_durations_space space,
                          const char *words)
{
    bool is_log = space == TP_SPACE_LOG;
    if (c->count != 0 || c->has_overflow || d->max_ns != 0 || d->cut != NULL || d->count == 0 ||
        (is_log && d->total_ns != 0))
        tp_state_refuse(r, words);
}

static uint32_t get_measure(struct tp_state_reader *r, enum tp_durations_space space)
{
    uint32_t reason_count = r->totals->reasons.count;
    if (space == TP_SPACE_COARSE)
        return tp_state_get_below(r, tp_coarse_measure(TP_STACK_TYPE_COUNT, false), "measure");
    uint32_t most = reason_count > TP_MEASURE_FIRST_BLOCK ? reason_count : TP_MEASURE_FIRST_BLOCK;
    uint32_t number =
        tp_state_get_below(r, tp_has_reasons(space) ? 2 * (uint64_t)most : 1, "measure");
    bool is_reason = number % 2 == 1;
    uint32_t end = is_reason ? reason_count : TP_MEASURE_FIRST_BLOCK;
    if (number / 2 >= end ||
        (space == TP_SPACE_WAKE && !is_reason && number / 2 != TP_WAKE_BLAMED))
        tp_state_refuse(r, "there is no such measure");
    return is_reason ? TP_MEASURE_FIRST_BLOCK + number / 2 : number / 2;
}

static void get_dist(struct tp_state_reader *r, enum tp_durations_space space, uint32_t group)
{
    struct tp_totals *s = r->totals;
    uint32_t measure = get_measure(r, space);
    struct tp_dist *d = r->code == 0 ? tp_durations_dist(&s->durations, group, measure) : NULL;
    if (d == NULL) {
        tp_state_lack_memory(r);
        return;
    }
    if (d->count > 0 || d->cut != NULL) {
        tp_state_refuse(r, "duplicate measure");
        return;
    }
    struct contents contents;
    d->count = tp_state_get(r);
    d->total_ns = tp_state_get_wide(r);
    d->max_ns = tp_state_get(r);
    uint64_t cut_count = tp_state_get(r);
    tp_wide cut_ns = tp_state_get_wide(r);
    bool is_cut = r->code == 0 && (cut_count > 0 || cut_ns > 0);
    if (is_cut && !tp_dist_add_cut(d, cut_count, cut_ns))
        tp_state_lack_memory(r);
    get_hist(r, &d->hist, &contents);
    if (r->code != 0)
        return;
    if (space == TP_SPACE_WAKE && d->cut != NULL)
        tp_state_refuse(r, "ended waits that are cut");
    const char *words = counted_words(space, measure);
    if (words != NULL)
        check_counted(r, d, &contents, space, words);
    else
        check_dist(r, d, &contents);
}

// Reads the name of a group and returns the name under which the totals record it. Refuses more
// names than the totals keep, and names of TP_SPACE_FILE_TASK without a file.
static uint32_t get_name(struct tp_state_reader *r, enum tp_durations_space space)
{
    struct tp_totals *s = r->totals;
    uint32_t number = tp_state_get_below(r, (uint64_t)s->names.count + 1, "name");
    uint32_t name = TP_TOTALS_OTHERS;
    if (number == OTHERS)
        return name;
    struct tp_span text = tp_intern_text(&s->names, number - 1);
    struct tp_file_task task;
    if (s->kept[space].heap.count == TP_TOTALS_NAMES_MAX && !tp_totals_always_keeps(space, text))
        tp_state_refuse(r, "more names than are kept");
    else if (space == TP_SPACE_FILE_TASK && !tp_file_task_split(text, &task))
        tp_state_refuse(r, "tasks without a file");
    else if (!tp_totals_name(s, space, text, &name))
        tp_state_lack_memory(r);
    return name;
}

// Does the same as get_name for a pair.
static uint32_t get_pair(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    uint32_t number = tp_state_get_below(r, (uint64_t)s->pairs.of.count + 1, "pair of stacks");
    uint32_t name = number - 1;
    if (number == OTHERS)
        return TP_TOTALS_OTHERS;
    if (r->code == 0 && !tp_totals_pair_name(s, TP_SPACE_WAKE, &name))
        tp_state_lack_memory(r);
    return name;
}

// Reads the distributions of the group that comes next, after its name.
static void get_dists(struct tp_state_reader *r, enum tp_durations_space space, uint32_t name)
{
    uint32_t count = tp_state_get_count(r, DIST_BYTES);
    if (r->code != 0)
        return;
    uint32_t group = tp_durations_group_of(&r->totals->durations, space, name);
    if (group == TP_DURATIONS_NONE)
        tp_state_lack_memory(r);
    for (uint32_t i = 0; i < count && r->code == 0 && tp_state_has_more(r); i++)
        get_dist(r, space, group);
}

// Refuses a group whose wakers are to more blame than waiting time.
static void check_blame(struct tp_state_reader *r, uint32_t name)
{
    struct tp_durations *l = &r->totals->durations;
    uint32_t group = tp_durations_group_of(l, TP_SPACE_WAKE, name);
    if (r->code != 0 || group == TP_DURATIONS_NONE)
        return;
    struct tp_durations_walk walk = {.group = &l->groups.items[group]};
    struct tp_dist_cut waits = {0}, blamed = {0};
    while (tp_durations_walk_next(&walk)) {
        struct tp_dist_cut *sum = walk.measure == TP_WAKE_BLAMED ? &blamed : &waits;
        if (__builtin_add_overflow(sum->count, walk.dist->count, &sum->count))
            sum->count = UINT64_MAX;
        sum->ns = tp_wide_add(sum->ns, walk.dist->total_ns);
    }
    if (blamed.count > waits.count || blamed.ns > waits.ns)
        tp_state_refuse(r, "more blame than waiting time");
}

static void get_wakes(struct tp_state_reader *r)
{
    bool has_others = false;
    while (tp_state_has_more(r)) {
        if (tp_state_get(r) != TP_SPACE_WAKE)
            tp_state_refuse(r, "a group of another kind among those of pairs");
        uint32_t name = get_pair(r);
        has_others = has_others || name == TP_TOTALS_OTHERS;
        get_dists(r, TP_SPACE_WAKE, name);
        check_blame(r, name);
    }
    if (has_others && r->totals->pairs.heaps[TP_PAIR_WAKE].count < TP_TOTALS_PAIRS_MAX)
        tp_state_refuse(r, "others although fewer pairs of stacks than the limit");
}

static void get_groups(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    bool has_others[TP_SPACES] = {false};
    while (tp_state_has_more(r)) {
        enum tp_durations_space space =
            (enum tp_durations_space)tp_state_get_below(r, TP_SPACES, "kind of group");
        if (section_of_space(space) != IN_GROUPS)
            tp_state_refuse(r, "there is no such kind of group");
        uint32_t name = get_name(r, space);
        has_others[space] = has_others[space] || name == TP_TOTALS_OTHERS;
        get_dists(r, space, name);
    }
    for (unsigned space = 0; space < TP_SPACES; space++) {
        if (has_others[space] && s->kept[space].heap.count < TP_TOTALS_NAMES_MAX)
            tp_state_refuse(r, "others although fewer names than the limit");
    }
}

const struct tp_section tp_section_groups = {.use = use_groups, .put = put_groups,
                                             .get = get_groups};
const struct tp_section tp_section_wakes = {.use = use_wakes, .put = put_wakes, .get = get_wakes};
