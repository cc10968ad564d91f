// Section of a state: the durations, a row for each distribution.
#include "stats/figures/stack_sums.h"
#include "stats/file_tasks.h"
#include "stats/state/section.h"

// Least size of a bucket of a histogram, in bytes.
#define BUCKET_BYTES 2

struct dist_row {
    uint32_t space;  // enum tp_durations_space
    uint32_t name;   // of a pair, if the space is one of pairs
    uint32_t measure;
    struct tp_dist dist;        // without `cut`; a reader has no `hist`
    struct tp_dist_cut cut;
};

// PUT

// Evidence is not written: findings are judged before a state is written.
static bool is_written(unsigned space)
{
    return space != TP_SPACE_UNNAMED && space != TP_SPACE_EVIDENCE;
}

// The reference of a row is the number of its group, and where the walk of the group was before it.
static bool list_dists(const struct tp_totals *s, struct tp_state_refs *refs)
{
    const struct tp_durations *l = &s->durations;
    for (uint64_t i = 0; i < l->groups.count; i++) {
        struct tp_durations_walk walk = {.group = &l->groups.items[i]};
        uint32_t before = 0;
        while (is_written(walk.group->space) && tp_durations_walk_next(&walk)) {
            if (!TP_LIST_ADD(refs, i << 32 | before))
                return false;
            before = walk.next;
        }
    }
    return true;
}

// Returns the number of fixed measures that groups of this space have.
static uint32_t measure_count(unsigned space)
{
    switch (space) {
    case TP_SPACE_GOROUTINE: return TP_MEASURE_FIRST_BLOCK;
    case TP_SPACE_WRAPPED: return TP_WRAPPED_MEASURES;
    case TP_SPACE_PEAK: return TP_PEAK_MEASURES;
    case TP_SPACE_COARSE: return tp_coarse_measure(TP_STACK_TYPE_COUNT, false);
    default: return 1;
    }
}

static void load_dist(const struct tp_totals *s, uint64_t ref, void *row)
{
    const struct tp_durations_group *g = &s->durations.groups.items[ref >> 32];
    struct tp_durations_walk walk = {.group = g, .next = (uint32_t)ref};
    (void)tp_durations_walk_next(&walk);
    const struct tp_dist *d = walk.dist;
    *(struct dist_row *)row = (struct dist_row){
        g->space, g->name, walk.measure, *d, {tp_dist_cut_count(d), tp_dist_cut_ns(d)}};
}

void tp_state_put_hist(struct tp_state_stream *to, const struct tp_hist *h)
{
    struct tp_hist_walk walk = {.hist = h};
    unsigned count = 0, before = 0;
    while (tp_hist_walk_next(&walk))
        count++;
    tp_state_put(to, count);
    walk = (struct tp_hist_walk){.hist = h};
    while (tp_hist_walk_next(&walk)) {
        tp_state_put(to, walk.bucket - before);
        tp_state_put(to, walk.count);
        before = walk.bucket;
    }
}

// Visits a measure: a fixed one as its number, and 0; one of blocking as 0, and its reason.
static void visit_measure(struct tp_state_visit *v, struct dist_row *of)
{
    bool has_reason = tp_has_reasons((enum tp_durations_space)of->space) &&
                      of->measure >= TP_MEASURE_FIRST_BLOCK;
    uint32_t fixed = has_reason ? 0 : of->measure;
    uint32_t reason = has_reason ? of->measure - TP_MEASURE_FIRST_BLOCK : TP_INTERN_NONE;
    tp_visit_any(v, &reason, TP_SECTION_reasons);
    tp_visit_below(v, &fixed, measure_count(of->space), "measure");
    of->measure = reason != TP_INTERN_NONE ? TP_MEASURE_FIRST_BLOCK + reason : fixed;
    if (v->mode == TP_STATE_GET && reason != TP_INTERN_NONE &&
        (fixed > 0 || !tp_has_reasons((enum tp_durations_space)of->space)))
        tp_state_refuse(v->r, "there is no such measure");
}

static void visit_dist(struct tp_state_visit *v, void *row)
{
    struct dist_row *of = row;
    tp_visit_below(v, &of->space, TP_SPACES, "kind of group");
    tp_visit_any(v, &of->name, of->space == TP_SPACE_WAKE ? TP_SECTION_pairs : TP_SECTION_names);
    visit_measure(v, of);
    tp_visit_u64(v, &of->dist.count);
    tp_visit_wide(v, &of->dist.total_ns);
    tp_visit_u64(v, &of->dist.max_ns);
    if (of->dist.max_ns > 0)
        tp_visit_u64(v, &of->dist.max_at);
    tp_visit_u64(v, &of->cut.count);
    tp_visit_wide(v, &of->cut.ns);
    if (v->mode == TP_STATE_PUT)
        tp_state_put_hist(v->w->to, &of->dist.hist);
}

// GET

void tp_state_get_hist(struct tp_state_reader *r, struct tp_hist *h, size_t *hist_bytes,
                       struct tp_state_contents *ret_contents)
{
    uint32_t count = tp_state_get_count(r, BUCKET_BYTES);
    struct tp_state_contents c = {0};
    unsigned bucket = 0;
    for (uint32_t i = 0; i < count && r->code == 0; i++) {
        bucket += (unsigned)tp_state_get_below(r, TP_HIST_BUCKETS - bucket, "size of durations");
        uint64_t number = tp_state_get(r);
        uint64_t low_ns = tp_hist_bucket_low(bucket);
        if (r->code == 0 &&
            !tp_hist_add_measured(h, bucket, number, hist_bytes))
            tp_state_lack_memory(r);
        c.has_overflow = c.has_overflow || __builtin_add_overflow(c.count, number, &c.count);
        c.least_ns += (tp_wide)low_ns * number;
        c.most_ns += (tp_wide)(low_ns + (tp_hist_bucket_width(bucket) - 1)) * number;
        c.last_bucket = bucket;
    }
    *ret_contents = c;
}

bool tp_state_hist_fits(struct tp_state_reader *r, const struct tp_dist *d,
                        const struct tp_state_contents *c)
{
    if (c->has_overflow || c->count != d->count)
        tp_state_refuse(r, "the count of durations differs from the histogram");
    else if (d->count == 0 ? d->max_ns != 0 : tp_hist_bucket(d->max_ns) != c->last_bucket)
        tp_state_refuse(r, "the maximum differs from the histogram");
    else if (d->total_ns < c->least_ns || d->total_ns > c->most_ns)
        tp_state_refuse(r, "durations do not add up to the histogram");
    return r->code == 0;
}

// Returns whether distributions of this row have only a count and a total, and no single durations.
static bool is_counted(const struct dist_row *of)
{
    return of->space == TP_SPACE_LOG || of->space == TP_SPACE_COARSE ||
           (of->space == TP_SPACE_WAKE && of->measure == TP_WAKE_BLAMED) ||
           (of->space == TP_SPACE_WRAPPED && of->measure > TP_MEASURE_FIRST_BLOCK);
}

static void check_counted(struct tp_state_reader *r, const struct dist_row *of,
                          const struct tp_dist *d, const struct tp_state_contents *c)
{
    if (c->count != 0 || c->has_overflow || d->max_ns != 0 || d->cut != NULL || d->count == 0)
        tp_state_refuse(r, "a histogram of what is only counted, or a count of 0");
    else if (of->space == TP_SPACE_LOG && d->total_ns != 0)
        tp_state_refuse(r, "log messages with durations");
}

static void check_dist(struct tp_state_reader *r, const struct dist_row *of,
                       const struct tp_dist *d, const struct tp_state_contents *c)
{
    if (of->space == TP_SPACE_WAKE && d->cut != NULL)
        tp_state_refuse(r, "ended waits that are cut");
    else if (is_counted(of))
        check_counted(r, of, d, c);
    else if (!tp_state_hist_fits(r, d, c))
        return;
    else if (tp_dist_cut_count(d) == 0 && (tp_dist_cut_ns(d) != 0 || d->count == 0))
        tp_state_refuse(r, "durations with a count of 0");
}

// Returns the name under which the totals record a group. Refuses more names than the totals keep,
// and names that lack the second of two parts.
static uint32_t get_name(struct tp_state_reader *r, const struct dist_row *of)
{
    struct tp_totals *s = r->totals;
    enum tp_durations_space space = (enum tp_durations_space)of->space;
    uint32_t name = of->name;
    struct tp_file_task task;
    if (name == TP_INTERN_NONE)
        return TP_TOTALS_OTHERS;
    if (space == TP_SPACE_WAKE) {
        if (!tp_totals_pair_name(s, space, &name))
            tp_state_lack_memory(r);
        return name;
    }
    struct tp_span text = tp_intern_text(&s->names, name);
    if (!tp_totals_keeps(s, space, name) && !tp_totals_always_keeps(space, text) &&
        s->kept[space].count == TP_TOTALS_NAMES_MAX)
        tp_state_refuse(r, "more names than are kept");
    else if (space == TP_SPACE_FILE_TASK && !tp_file_task_split(text, &task))
        tp_state_refuse(r, "tasks without a file");
    else if (space == TP_SPACE_WRAPPED && !tp_file_task_split(text, &task))
        tp_state_refuse(r, "a wrapper of no function");
    else if (!tp_totals_known_name(s, space, &name))
        tp_state_lack_memory(r);
    return name;
}

// Returns the distribution of a row, which is empty. NULL: the reader has failed.
static struct tp_dist *make_dist(struct tp_state_reader *r, const struct dist_row *of)
{
    struct tp_durations *l = &r->totals->durations;
    uint32_t name = get_name(r, of);
    if (r->code != 0)
        return NULL;
    uint32_t group = tp_durations_group_of(l, (enum tp_durations_space)of->space, name);
    struct tp_dist *d =
        group != TP_DURATIONS_NONE ? tp_durations_dist(l, group, of->measure) : NULL;
    if (d == NULL)
        tp_state_lack_memory(r);
    else if (d->count > 0 || d->cut != NULL)
        tp_state_refuse(r, "duplicate measure");
    return r->code == 0 ? d : NULL;
}

static void add_dist(struct tp_state_reader *r, const void *row)
{
    const struct dist_row *of = row;
    struct tp_state_contents contents;
    if (!is_written(of->space))
        tp_state_refuse(r, "there is no such kind of group");
    struct tp_dist *d = r->code == 0 ? make_dist(r, of) : NULL;
    if (d == NULL)
        return;
    d->count = of->dist.count;
    d->total_ns = of->dist.total_ns;
    d->max_ns = of->dist.max_ns;
    d->max_at = of->dist.max_at;
    if ((of->cut.count > 0 || of->cut.ns > 0) && !tp_dist_add_cut(d, of->cut.count, of->cut.ns))
        tp_state_lack_memory(r);
    tp_state_get_hist(r, &d->hist, &r->totals->durations.hist_bytes, &contents);
    if (r->code == 0)
        check_dist(r, of, d, &contents);
}

// CHECK

// Refuses a group whose wakers are to more blame than waiting time.
static void check_blame(struct tp_state_reader *r, const struct tp_durations_group *g)
{
    struct tp_durations_walk walk = {.group = g};
    struct tp_dist_cut waits = {0}, blamed = {0};
    while (tp_durations_walk_next(&walk)) {
        struct tp_dist_cut *sum = walk.measure == TP_WAKE_BLAMED ? &blamed : &waits;
        sum->count = tp_add_limited(sum->count, walk.dist->count);
        sum->ns = tp_wide_add(sum->ns, walk.dist->total_ns);
    }
    if (blamed.count > waits.count || blamed.ns > waits.ns)
        tp_state_refuse(r, "more blame than waiting time");
}

// Refuses a wrapped function with more time blocked by classes than in all.
static void check_classes(struct tp_state_reader *r, const struct tp_durations_group *g)
{
    struct tp_durations_walk walk = {.group = g};
    tp_wide all_ns = 0, ns = 0;
    while (tp_durations_walk_next(&walk)) {
        if (walk.measure == TP_MEASURE_FIRST_BLOCK)
            all_ns = tp_dist_all_ns(walk.dist);
        else if (walk.measure > TP_MEASURE_FIRST_BLOCK)
            ns = tp_wide_add(ns, walk.dist->total_ns);
    }
    if (ns > all_ns)
        tp_state_refuse(r, "more time blocked by a reason than blocked");
}

// Refuses others, and coarse stacks, beside fewer names, pairs or stacks than the limit. Stacks
// without PCs are not checked: they may have been more stacks before their PCs were removed.
static void check_group(struct tp_state_reader *r, const struct tp_durations_group *g)
{
    const struct tp_totals *s = r->totals;
    bool is_others = g->name == TP_TOTALS_OTHERS && g->dist_count > 0;
    if (g->space == TP_SPACE_WAKE) {
        check_blame(r, g);
        if (is_others && s->pairs.heaps[TP_PAIR_WAKE].count < TP_TOTALS_PAIRS_MAX)
            tp_state_refuse(r, "others although fewer pairs of stacks than the limit");
    } else if (is_others && s->kept[g->space].count < TP_TOTALS_NAMES_MAX) {
        tp_state_refuse(r, "others although fewer names than the limit");
    }
    if (g->space == TP_SPACE_WRAPPED)
        check_classes(r, g);
    if (g->space == TP_SPACE_COARSE && s->stacks.heap.count < TP_TOTALS_STACKS_MAX &&
        tp_totals_frames_have_pcs(&s->frames))
        tp_state_refuse(r, "folded stacks although fewer stacks than the limit");
}

static void check_durations(struct tp_state_reader *r)
{
    const struct tp_durations *l = &r->totals->durations;
    for (uint32_t i = 0; i < l->groups.count && r->code == 0; i++)
        check_group(r, &l->groups.items[i]);
}

const struct tp_section tp_section_durations = {.visit = visit_dist,
                                                .row_bytes = sizeof(struct dist_row),
                                                .list = list_dists,
                                                .load = load_dist,
                                                .add = add_dist,
                                                .check = check_durations};
