#include "stats/hosts/versus.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"
#include "stats/hosts/change_rule.h"
#include "stats/hosts/host_tops.h"

#define PPM 1000000

// A top of a host of a side.
struct entry {
    const struct tp_host_top *top;
    struct tp_span name;
    unsigned side;
};

// A finding of a host of a side.
struct hit {
    const struct tp_found *found;
    struct tp_span function; // of its culprit; empty: it has none
    unsigned side;
    uint32_t host;
};

struct comparing {
    struct tp_versus *v;
    struct tp_host_tops tops[TP_VERSUS_SIDES];
    struct entries {
        TP_LIST(struct entry); // by kind, name, side and host
    } entries;
    struct hits {
        TP_LIST(struct hit); // by kind, function, side, host, and value, the greatest first
    } hits;
    struct tp_two_samples values; // of a measure, with room for all hosts
    uint64_t tests;
    bool fits; // false: out of memory
};

static const struct tp_hosts *hosts_of(const struct comparing *c, unsigned side)
{
    return &c->v->sides[side].hosts;
}

// WHAT A CHANGE IS WORTH

static tp_wide sum_of(const struct comparing *c, unsigned side, enum tp_file_figure figure)
{
    const struct tp_hosts *hosts = hosts_of(c, side);
    tp_wide sum = 0;
    for (uint32_t i = 0; i < hosts->count; i++) {
        for (uint32_t k = 0; k < hosts->items[i].row_count; k++)
            sum = tp_wide_add(sum, hosts->items[i].rows[k]->figures[figure]);
    }
    return sum;
}

// Returns a part of the time of all Ps, in thousandths of goroutines; `procs` are the Ps.
static uint64_t of_ps(const struct comparing *c, unsigned side, enum tp_file_figure procs, uint64_t ppm)
{
    uint64_t mean = tp_wide_ratio(sum_of(c, side, procs), 1000, sum_of(c, side, TP_FILE_DURATION));
    return tp_wide_limited((tp_wide)mean * ppm / PPM);
}

// Returns the time of a change of a measure by so much, in thousandths of goroutines.
static uint64_t time_of(const struct comparing *c, const struct tp_change *change, uint64_t difference,
                        tp_wide count)
{
    switch ((unsigned)change->measure) {
    case TP_FINDS_LOCK:
    case TP_FINDS_SYSCALL:
    case TP_FINDS_CHANNEL:
    case TP_FINDS_POOL: return difference / 1000;
    case TP_FINDS_GC: return of_ps(c, change->of, TP_FILE_PROCS_USED, difference);
    case TP_FINDS_FEW_PS: return of_ps(c, change->of, TP_FILE_PROCS, difference);
    case TP_HOST_RUNNABLE:
    case TP_HOST_BLOCKED:
    case TP_HOST_PS_USED:
    case TP_HOST_START_RUNNING:
    case TP_HOST_WAIT: return difference;
    case TP_HOST_TASK_P50:
    case TP_HOST_TASK_MEAN:
    case TP_HOST_REGION_MEAN:
    case TP_HOST_REGION_P50: break;
    case TP_HOST_TASK_P99:
    case TP_HOST_REGION_P99: difference /= 100; break; // that many are slower
    default: return 0;
    }
    // By the mean number of tasks or regions of a host, in thousandths per second.
    uint64_t rate = tp_wide_ratio(tp_wide_limited(count), 1000000000, sum_of(c, change->of, TP_FILE_DURATION) / 1000);
    return tp_wide_limited((tp_wide)difference * rate / 1000000000);
}

// FINDINGS

static int compare_hits(const struct hit *a, const struct hit *b)
{
    return tp_compare_u64(a->found->kind, b->found->kind)
        ?: tp_span_compare(a->function, b->function);
}

static int compare_all_hits(const void *left, const void *right)
{
    const struct hit *a = left, *b = right;
    return compare_hits(a, b)
        ?: tp_compare_u64(a->side, b->side)
        ?: tp_compare_u64(a->host, b->host)
        ?: tp_compare_u64(b->found->value_ppm, a->found->value_ppm)
        ?: tp_compare_u64(a->found->culprit.line, b->found->culprit.line);
}

// Lists the findings of a side, each with its host, which is that of its path.
static void list_hits(struct comparing *c, unsigned side)
{
    const struct tp_totals *s = c->v->sides[side].totals;
    const struct tp_hosts *hosts = hosts_of(c, side);
    struct tp_map by_path = {0};
    for (uint32_t i = 0; i < hosts->count && c->fits; i++) {
        for (uint32_t k = 0; k < hosts->items[i].row_count && c->fits; k++)
            c->fits = tp_map_get(&by_path, hosts->items[i].rows[k]->path) != TP_MAP_NONE ||
                      tp_map_put(&by_path, hosts->items[i].rows[k]->path, i + 1);
    }
    for (uint32_t i = 0; i < s->found.count && c->fits; i++) {
        const struct tp_found *f = &s->found.items[i];
        uint32_t host = tp_map_get(&by_path, f->path);
        if (host != TP_MAP_NONE && f->kind != TP_FINDS_SLOW_TASK)
            c->fits = TP_LIST_ADD(&c->hits, (struct hit){f, tp_totals_text(s, f->culprit.function), side,
                                                         host - 1});
    }
    tp_map_fini(&by_path);
}

// The findings of one kind and culprit.
struct hit_group {
    uint32_t first, end;                   // of the hits
    uint32_t host_counts[TP_VERSUS_SIDES];
    const struct tp_found *greatest[TP_VERSUS_SIDES];
};

static struct hit_group hit_group_at(const struct comparing *c, uint32_t first)
{
    const struct hits *hits = &c->hits;
    struct hit_group group = {.first = first, .end = first};
    for (; group.end < hits->count && compare_hits(&hits->items[first], &hits->items[group.end]) == 0;
         group.end++) {
        const struct hit *hit = &hits->items[group.end];
        const struct tp_found **greatest = &group.greatest[hit->side];
        bool is_same_host = group.end > first && hit[-1].side == hit->side && hit[-1].host == hit->host;
        group.host_counts[hit->side] += !is_same_host;
        if (*greatest == NULL || hit->found->value_ppm > (*greatest)->value_ppm)
            *greatest = hit->found;
    }
    return group;
}

// Returns the greatest finding with the culprit that most hosts of a side have; NULL: there is none, because
// another finding explains the value.
static const struct tp_found *main_finding(const struct comparing *c, unsigned kind, unsigned side)
{
    const struct tp_found *found = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < c->hits.count;) {
        const struct hit_group group = hit_group_at(c, i);
        if (c->hits.items[i].found->kind == kind && group.host_counts[side] > most) {
            most = group.host_counts[side];
            found = group.greatest[side];
        }
        i = group.end;
    }
    return found;
}

// COMPARING

static enum tp_versus_verdict verdict_of(const struct tp_measure_info *info, bool is_more)
{
    if (info->is_two_sided)
        return is_more ? TP_VERSUS_MORE : TP_VERSUS_LESS;
    return is_more ? TP_VERSUS_WORSE : TP_VERSUS_BETTER;
}

static void sort_values(struct comparing *c)
{
    for (unsigned side = 0; side < TP_VERSUS_SIDES; side++) {
        qsort(c->values.items[side], c->values.counts[side], sizeof *c->values.items[side], tp_compare_u64_at);
    }
}

static uint64_t median_of(const struct comparing *c, unsigned side)
{
    return c->values.counts[side] > 0 ? c->values.items[side][(c->values.counts[side] - 1) / 2] : 0;
}

// Sets what a change has of the values of its measure.
static void measure(const struct comparing *c, struct tp_change *change, const tp_wide counts[TP_VERSUS_SIDES])
{
    const struct tp_measure_info info = tp_measure_info(change->measure);
    const uint64_t *values = change->values;
    for (unsigned side = 0; side < TP_VERSUS_SIDES; side++) {
        change->values[side] = median_of(c, side);
        change->host_counts[side] = (uint32_t)c->values.counts[side];
    }
    bool is_more = values[TP_VERSUS_AFTER] > values[TP_VERSUS_BEFORE];
    change->of = is_more ? TP_VERSUS_AFTER : TP_VERSUS_BEFORE;
    uint64_t difference = values[change->of] - values[1 - change->of];
    change->severity_ppm = tp_wide_ratio(difference, PPM, info.least_change);
    change->time = time_of(c, change, difference, counts[change->of]);
    change->verdict = verdict_of(&info, is_more);
}

// Adds the change of a measure, if its values are one; of a bounded measure, if those of the side `of` of `change` are
// greater. `tops` are those of either side with most time; NULL: the measure has none. `counts` are the tasks or
// regions of either side.
static void compare(struct comparing *c, struct tp_change change,
                    const struct tp_host_top *const tops[TP_VERSUS_SIDES],
                    const tp_wide counts[TP_VERSUS_SIDES])
{
    const struct tp_measure_info info = tp_measure_info(change.measure);
    if (c->values.counts[TP_VERSUS_BEFORE] == 0 || c->values.counts[TP_VERSUS_AFTER] == 0)
        return;
    unsigned above = change.of;
    sort_values(c);
    measure(c, &change, counts);
    if (tp_is_bounded(change.measure) && change.of != above)
        return;
    const struct tp_change_size size = {change.values[1 - change.of], change.values[change.of],
                                        info.least_change, info.least};
    if (!tp_is_change(&c->values, change.of, &size, c->tests))
        return;
    if (tp_is_of_finding(change.measure)) {
        change.found = main_finding(c, change.measure, change.of);
        if (change.found == NULL)
            return;
    }
    if (tops[change.of] != NULL)
        change.top = tops[change.of]->longest;
    c->fits = c->fits && TP_LIST_ADD(c->v, change);
}

static void compare_hosts(struct comparing *c)
{
    static const struct tp_host_top *const no_tops[TP_VERSUS_SIDES];
    static const tp_wide no_counts[TP_VERSUS_SIDES];
    for (unsigned m = 0; m < TP_HOST_TOP_FIRST; m++) {
        // The tails of tasks are compared with each other, and not with their own median.
        if (m == TP_FINDS_SLOW_TASK)
            continue;
        for (unsigned side = 0; side < TP_VERSUS_SIDES; side++) {
            const struct tp_hosts *hosts = hosts_of(c, side);
            c->values.counts[side] = 0;
            for (uint32_t i = 0; i < hosts->count; i++) {
                const struct tp_host *h = &hosts->items[i];
                if (tp_host_is_comparable(h, (enum tp_host_measure)m))
                    c->values.items[side][c->values.counts[side]++] = tp_host_value(h, (enum tp_host_measure)m);
            }
        }
        compare(c, (struct tp_change){.measure = (enum tp_host_measure)m}, no_tops, no_counts);
    }
}

// NAMES

static int compare_names(const struct entry *a, const struct entry *b)
{
    return tp_compare_u64(a->top->kind, b->top->kind) ?: tp_span_compare(a->name, b->name);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return compare_names(a, b)
        ?: tp_compare_u64(a->side, b->side)
        ?: tp_compare_u64(a->top->host, b->top->host);
}

static void list_entries(struct comparing *c)
{
    struct entries *entries = &c->entries;
    for (unsigned side = 0; side < TP_VERSUS_SIDES && c->fits; side++) {
        const struct tp_host_tops *tops = &c->tops[side];
        c->fits = tp_host_tops_make(hosts_of(c, side), &c->tops[side]);
        for (uint32_t i = 0; i < tops->count && c->fits; i++) {
            struct tp_span name = tp_totals_text(c->v->sides[side].totals, tops->items[i].name);
            c->fits = TP_LIST_ADD(entries, (struct entry){&tops->items[i], name, side});
        }
    }
    TP_LIST_SORT(entries, compare_entries);
}

// The entries of one kind and name.
struct group {
    const struct entry *entries;
    uint32_t count;
    uint32_t firsts[TP_VERSUS_SIDES], host_counts[TP_VERSUS_SIDES];
    const struct tp_host_top *tops[TP_VERSUS_SIDES]; // with most time; NULL: there is none
    tp_wide counts[TP_VERSUS_SIDES]; // of tasks or regions; set when the group is compared
};

static struct group group_at(const struct comparing *c, uint32_t first)
{
    const struct entry *entries = &c->entries.items[first];
    struct group g = {.entries = entries};
    for (; first + g.count < c->entries.count && compare_names(entries, &entries[g.count]) == 0; g.count++) {
        const struct entry *e = &entries[g.count];
        const struct tp_host_top **longest = &g.tops[e->side];
        if (g.host_counts[e->side]++ == 0)
            g.firsts[e->side] = g.count;
        if (*longest == NULL || e->top->longest->total_ns > (*longest)->longest->total_ns)
            *longest = e->top;
    }
    return g;
}

// Whether hosts enough have the group that the median of a side could be above 0.
static bool is_common(const struct comparing *c, const struct group *g)
{
    uint32_t before = hosts_of(c, TP_VERSUS_BEFORE)->count, after = hosts_of(c, TP_VERSUS_AFTER)->count;
    return (uint64_t)g->count * 2 >= (before < after ? before : after);
}

// Takes the values of a measure of a group. A host without such tasks or regions, or with few, is not compared; of a
// bounded measure each host has a value: on the side `above` the least that it can have, on the other the greatest.
static void take_values(struct comparing *c, const struct group *g, enum tp_host_measure m, unsigned above)
{
    for (unsigned side = 0; side < TP_VERSUS_SIDES; side++) {
        const struct tp_host *hosts = hosts_of(c, side)->items;
        const struct entry *e = g->entries + g->firsts[side], *end = e + g->host_counts[side];
        uint32_t next = 0, end_host = tp_is_bounded(m) ? hosts_of(c, side)->count : 0;
        uint64_t *values = c->values.items[side], value;
        size_t n = 0;
        for (; e < end || next < end_host; next++) {
            bool has_entry = e < end && (end_host == 0 || e->top->host == next);
            const struct tp_host *h = &hosts[has_entry ? e->top->host : next];
            const struct tp_host_top *top = has_entry ? (e++)->top : NULL;
            if (!tp_host_is_comparable(h, m) || (top != NULL && !tp_host_top_value(h, top, m, &value)))
                continue;
            values[n] = top != NULL ? value : 0;
            if (end_host > 0 && side != above && (top == NULL || tp_host_top_is_partial(h, top)))
                values[n] = tp_add_limited(values[n], tp_host_unlisted_value(h, m));
            n++;
        }
        c->values.counts[side] = n;
    }
}

// Whether the totals have tasks or regions of this name, also those that are not among the longest of a host.
static bool has_name(const struct tp_totals *s, enum tp_durations_space space, struct tp_span name)
{
    bool has = false;
    for (uint32_t i = 0; i < s->durations.groups.count && !has; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        has = g->space == space && tp_span_compare(tp_totals_group_name(s, g), name) == 0;
    }
    return has;
}

// Lists the tasks or regions of a name that one side alone has.
static void compare_presence(struct comparing *c, const struct group *g)
{
    unsigned side = g->host_counts[TP_VERSUS_AFTER] > 0 ? TP_VERSUS_AFTER : TP_VERSUS_BEFORE, other = 1 - side;
    bool is_task = g->entries->top->kind == TP_TOP_TASK;
    // One of few hosts may have a rare task by chance.
    take_values(c, g, is_task ? TP_HOST_TASK_P50 : TP_HOST_REGION_P50, side);
    size_t count = c->v->are_few ? c->values.counts[side] : g->host_counts[side];
    if (g->host_counts[other] > 0 || c->values.counts[side] == 0 ||
        !tp_is_no_chance(count, hosts_of(c, side)->count, hosts_of(c, other)->count, c->tests) ||
        has_name(c->v->sides[other].totals, is_task ? TP_SPACE_TASK : TP_SPACE_REGION, g->entries->name))
        return;
    struct tp_change change = {.measure = is_task ? TP_HOST_TASK_P50 : TP_HOST_REGION_P50,
                               .name = g->entries->name,
                               .top = g->tops[side]->longest};
    sort_values(c);
    measure(c, &change, g->counts);
    change.of = (enum tp_versus_side)side;
    change.verdict = side == TP_VERSUS_AFTER ? TP_VERSUS_NEW : TP_VERSUS_GONE;
    change.host_counts[side] = g->host_counts[side];
    c->fits = c->fits && TP_LIST_ADD(c->v, change);
}

// Notes on what the tasks or regions of a group spend more, or less, time than before.
static void explain_slow(struct comparing *c, const struct group *g, struct tp_change *change)
{
    for (unsigned class = 0; class < TP_CLASS_COUNT; class++) {
        for (unsigned side = 0; side < TP_VERSUS_SIDES; side++) {
            const struct entry *e = g->entries + g->firsts[side], *end = e + g->host_counts[side];
            uint64_t ns;
            c->values.counts[side] = 0;
            for (; e < end; e++) {
                const struct tp_host *h = &hosts_of(c, side)->items[e->top->host];
                if (!tp_host_is_damaged(h) && tp_host_top_class_ns(h, e->top, (enum tp_class)class, &ns))
                    c->values.items[side][c->values.counts[side]++] = ns;
            }
        }
        sort_values(c);
        uint64_t high = median_of(c, change->of), low = median_of(c, 1 - change->of);
        if (high > low && high - low > change->class_ns) {
            change->class = (enum tp_class)class;
            change->class_ns = high - low;
        }
    }
}

// The mean is of no interest if a quantile says it, and where the time goes is part of the median's change.
static void compare_group(struct comparing *c, struct group *g)
{
    enum tp_top_kind kind = g->entries->top->kind;
    uint32_t first = c->v->count;
    if (kind >= TP_TOP_WAIT && !is_common(c, g))
        return;
    for (uint32_t i = 0; i < g->count && kind < TP_TOP_TIMED; i++) {
        const struct entry *e = &g->entries[i];
        const struct tp_host *h = &hosts_of(c, e->side)->items[e->top->host];
        g->counts[e->side] = tp_wide_add(g->counts[e->side], tp_host_top_count(h, e->top));
    }
    for (unsigned i = TP_HOST_TOP_FIRST; i < TP_HOST_MEASURE_COUNT; i++) {
        const enum tp_host_measure m = (enum tp_host_measure)i;
        bool is_mean = m == TP_HOST_TASK_MEAN || m == TP_HOST_REGION_MEAN;
        uint32_t before = c->v->count;
        if (tp_measure_info(m).of != kind || (is_mean && before > first))
            continue;
        for (unsigned above = 0; above < (tp_is_bounded(m) ? TP_VERSUS_SIDES : 1u); above++) {
            const struct tp_change change = {.measure = m, .name = g->entries->name, .of = (enum tp_versus_side)above};
            take_values(c, g, m, above);
            compare(c, change, g->tops, g->counts);
        }
        if (c->v->count > before && (m == TP_HOST_TASK_P50 || m == TP_HOST_REGION_P50))
            explain_slow(c, g, &c->v->items[before]);
    }
    if (kind < TP_TOP_WAIT)
        compare_presence(c, g);
}

// Calls a finding new or gone that one side alone has.
static void compare_hit_group(struct comparing *c, const struct hit_group *g)
{
    unsigned side = g->host_counts[TP_VERSUS_AFTER] > 0 ? TP_VERSUS_AFTER : TP_VERSUS_BEFORE, other = 1 - side;
    const struct tp_found *found = g->greatest[side];
    if (g->host_counts[other] > 0 ||
        !tp_is_no_chance(g->host_counts[side], hosts_of(c, side)->count, hosts_of(c, other)->count, c->tests))
        return;
    for (uint32_t i = 0; i < c->v->count; i++) {
        struct tp_change *change = &c->v->items[i];
        if (change->found == found && change->of == side)
            change->verdict = side == TP_VERSUS_AFTER ? TP_VERSUS_NEW : TP_VERSUS_GONE;
    }
}

// THE LIST

static int class_of(const struct tp_change *change)
{
    switch (change->verdict) {
    case TP_VERSUS_NEW:
    case TP_VERSUS_WORSE: return 0;
    case TP_VERSUS_BETTER:
    case TP_VERSUS_GONE: return 1;
    default: return 2;
    }
}

// Findings come first, because they name the cause, and sums over all functions last.
static int rank_of(const struct tp_change *change)
{
    if (change->found != NULL)
        return 0;
    return tp_is_top_measure(change->measure) || change->measure == TP_HOST_RUNNABLE ? 1 : 2;
}

static int compare_changes(const void *left, const void *right)
{
    const struct tp_change *a = left, *b = right;
    return class_of(a) - class_of(b)
        ?: rank_of(a) - rank_of(b)
        ?: tp_compare_u64(b->time, a->time)
        ?: tp_compare_u64(b->severity_ppm, a->severity_ppm)
        ?: tp_compare_u64(a->measure, b->measure)
        ?: tp_span_compare(a->name, b->name);
}

// Counts the comparisons: each measure of a host, of a name, and what only one side may have.
static void count_tests(struct comparing *c)
{
    c->tests = TP_HOST_TOP_FIRST;
    for (uint32_t i = 0; i < c->entries.count;) {
        const struct group g = group_at(c, i);
        unsigned of_name = TP_HOST_MEASURE_COUNT - TP_HOST_TOP_FIRST;
        c->tests += g.entries->top->kind < TP_TOP_WAIT ? of_name : is_common(c, &g);
        i += g.count;
    }
    for (uint32_t i = 0; i < c->hits.count; i = hit_group_at(c, i).end)
        c->tests++;
}

static void compare_everything(struct comparing *c)
{
    for (unsigned side = 0; side < TP_VERSUS_SIDES && c->fits; side++) {
        c->values.items[side] = tp_alloc_array((size_t)hosts_of(c, side)->count + 1, sizeof *c->values.items[side]);
        c->fits = c->values.items[side] != NULL;
        list_hits(c, side);
    }
    list_entries(c);
    if (!c->fits)
        return;
    TP_LIST_SORT(&c->hits, compare_all_hits);
    count_tests(c);
    c->v->are_few = !tp_is_noise_known(hosts_of(c, TP_VERSUS_BEFORE)->count, hosts_of(c, TP_VERSUS_AFTER)->count, c->tests);
    compare_hosts(c);
    for (uint32_t i = 0; i < c->entries.count && c->fits;) {
        struct group g = group_at(c, i);
        compare_group(c, &g);
        i += g.count;
    }
    for (uint32_t i = 0; i < c->hits.count;) {
        const struct hit_group g = hit_group_at(c, i);
        compare_hit_group(c, &g);
        i = g.end;
    }
    TP_LIST_SORT(c->v, compare_changes);
}

int tp_versus_make(const struct tp_totals *before, const struct tp_totals *after,
                   struct tp_versus *ret_versus, struct tp_error *err)
{
    struct tp_versus v = {.sides = {[TP_VERSUS_BEFORE] = {.totals = before}, [TP_VERSUS_AFTER] = {.totals = after}}};
    struct comparing c = {.v = &v, .fits = true};
    int rc = tp_hosts_make(before, 0, &v.sides[TP_VERSUS_BEFORE].hosts, err);
    if (rc == 0)
        rc = tp_hosts_make(after, 0, &v.sides[TP_VERSUS_AFTER].hosts, err);
    v.is_compared = rc == 0 && hosts_of(&c, TP_VERSUS_BEFORE)->count > 0 && hosts_of(&c, TP_VERSUS_AFTER)->count > 0;
    if (v.is_compared)
        compare_everything(&c);
    for (unsigned side = 0; side < TP_VERSUS_SIDES; side++) {
        tp_free(c.tops[side].items);
        tp_free(c.values.items[side]);
    }
    tp_free(c.entries.items);
    tp_free(c.hits.items);
    if (!c.fits)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for hosts");
    if (rc != 0)
        tp_versus_fini(&v);
    *ret_versus = v;
    return rc;
}

void tp_versus_fini(struct tp_versus *v)
{
    for (unsigned side = 0; side < TP_VERSUS_SIDES; side++)
        tp_hosts_fini(&v->sides[side].hosts);
    tp_free(v->items);
    *v = (struct tp_versus){0};
}

const struct tp_change *tp_versus_beside(const struct tp_versus *v, const struct tp_change *change)
{
    const struct tp_change *why = NULL;
    if (tp_measure_info(change->measure).of != TP_TOP_TASK)
        return NULL;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct tp_change *other = &v->items[i];
        enum tp_top_kind of = tp_measure_info(other->measure).of;
        bool is_place = of == TP_TOP_REGION || of == TP_TOP_WAIT;
        if (is_place && class_of(other) == class_of(change) && (why == NULL || other->time > why->time))
            why = other;
    }
    return why;
}
