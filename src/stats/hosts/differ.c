#include "stats/hosts/differ.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"
#include "stats/hosts/fleet_rule.h"
#include "stats/hosts/host_tops.h"
#include "stats/hosts/lines.h"

#define PPM 1000000
// Shorter inputs are not compared: what begins and ends them would decide.
#define LEAST_NS 500000000
// Fleets in which one healthy host may be listed by chance.
#define FLEETS_PER_ALARM 100

// A value of a host.
struct sample {
    uint64_t value;
    uint32_t host;
    const struct tp_host_top *top; // NULL: the measure has none
    bool is_partial;               // the value may be too small, because a row leaves some away
};

struct comparing {
    const struct tp_totals *s;
    struct tp_differs *d;
    const struct tp_found **found; // by path, kind, and value, the greatest first
    struct tp_host_tops tops;
    struct sample *samples; // room for one of each host
    uint64_t *values;       // as many
    uint64_t *procs;        // by host: another GOMAXPROCS than that of the fleet, or 0
    // By measures that are bounded: the greatest value that a host may have of a name that its rows leave away.
    uint64_t unlisted[TP_HOST_TOP_END - TP_HOST_TOP_FIRST];
    uint64_t deviations_thousandths; // that make a difference
    uint32_t whole_count;   // hosts without damage
    struct tp_host_watch *watches;
    struct tp_host_watch **sorted_watches; // by measure, name and host
    size_t watch_count;
    bool fits;              // false: out of memory
};

// FINDINGS

// Orders findings by path, kind and value, the greatest first.
static int compare_values(const struct tp_found *a, const struct tp_found *b)
{
    return tp_compare_u64(a->path, b->path)
        ?: tp_compare_u64(a->kind, b->kind)
        ?: tp_compare_u64(b->value_ppm, a->value_ppm);
}

static int compare_found(const void *left, const void *right, void *ctx)
{
    const struct tp_found *a = *(const struct tp_found *const *)left;
    const struct tp_found *b = *(const struct tp_found *const *)right;
    return compare_values(a, b) ?: tp_source_place_compare(ctx, &a->culprit, &b->culprit);
}

// Returns the index of the first finding in `found` of this path and kind, and not above this value.
static size_t found_from(const struct comparing *c, uint32_t path, uint32_t kind, uint64_t value_ppm)
{
    const struct tp_found wanted = {.path = path, .kind = kind, .value_ppm = value_ppm};
    size_t low = 0, high = c->s->found.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_values(c->found[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns the finding of this kind with the greatest value in the inputs of a host; NULL: there is none,
// because another finding explains the value.
static const struct tp_found *found_in(const struct comparing *c, const struct tp_host *h, uint32_t kind)
{
    const struct tp_found *best = NULL;
    for (uint32_t i = 0; i < h->row_count; i++) {
        const struct tp_found wanted = {.path = h->rows[i]->path, .kind = kind, .value_ppm = h->rows[i]->values[kind]};
        size_t low = found_from(c, wanted.path, kind, wanted.value_ppm);
        // Inputs of one path are told by the value.
        bool is_found = low < c->s->found.count && compare_values(c->found[low], &wanted) == 0;
        if (is_found && (best == NULL || c->found[low]->value_ppm > best->value_ppm))
            best = c->found[low];
    }
    return best;
}

// Notes the findings of a host that its line says: of the kind and culprit of its first difference.
static void put_on_line(struct comparing *c, const struct tp_differing_host *item)
{
    const struct tp_host *h = &c->d->hosts.items[item->host];
    const struct tp_found *said = c->d->differences.items[item->first].found;
    for (uint32_t i = 0; i < h->row_count && said != NULL; i++) {
        uint32_t path = h->rows[i]->path;
        for (size_t k = found_from(c, path, said->kind, UINT64_MAX);
             k < c->s->found.count && c->found[k]->path == path && c->found[k]->kind == said->kind; k++) {
            if (tp_source_place_compare_functions(c->s, &c->found[k]->culprit, &said->culprit) == 0)
                c->d->are_on_lines[c->found[k] - c->s->found.items] = true;
        }
    }
}

// COMPARING

static void add_difference(struct comparing *c, enum tp_host_measure measure,
                           const struct sample *sample, uint64_t median)
{
    const struct tp_measure_info info = tp_measure_info(measure);
    const struct tp_host_top *top = sample->top;
    struct tp_difference difference = {
        .host = sample->host,
        .measure = measure,
        .name = top != NULL ? top->name : TP_INTERN_NONE,
        .top = top != NULL ? top->longest : NULL,
        .value = sample->value,
        .fleet_value = median,
        .severity_ppm = tp_wide_ratio(tp_distance(sample->value, median), PPM, info.least),
        .procs = c->procs[sample->host],
    };
    if (tp_is_of_finding(measure)) {
        difference.found = found_in(c, &c->d->hosts.items[sample->host], measure);
        if (difference.found == NULL)
            return;
    }
    c->fits = c->fits && TP_LIST_ADD(&c->d->differences, difference);
}

// WATCHES

static int compare_watch_keys(const struct tp_host_watch *a, const struct tp_host_watch *b)
{
    return tp_compare_u64(a->measure, b->measure)
        ?: tp_span_compare(a->name, b->name);
}

static int compare_watches(const void *left, const void *right)
{
    const struct tp_host_watch *a = *(struct tp_host_watch *const *)left, *b = *(struct tp_host_watch *const *)right;
    return compare_watch_keys(a, b)
        ?: tp_compare_u64(a->host, b->host);
}

// Returns the index of the first one in `sorted_watches` whose key is not less than that of `wanted`.
static size_t first_watch(const struct comparing *c, const struct tp_host_watch *wanted)
{
    size_t low = 0, high = c->watch_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_watch_keys(c->sorted_watches[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How values of a measure stand that was compared.
struct standing {
    uint64_t median, usual, deviation; // `usual`: what values above the median are held against
    bool has_zeros;                    // hosts without a sample have the value 0
    bool are_groups;                   // the values make two groups: no host is held against the others
};

// Notes how the watched hosts stand in a measure. Samples and watches are in the order of hosts.
static void watch(struct comparing *c, enum tp_host_measure measure, size_t count, const struct standing *as)
{
    const struct tp_fleet_rule rule = {tp_measure_info(measure), c->deviations_thousandths};
    const struct tp_host_top *top = c->samples[0].top;
    const struct tp_host_watch wanted = {
        .measure = measure, .name = top != NULL ? tp_totals_text(c->s, top->name) : tp_span_of("", 0)};
    size_t at = 0;
    for (size_t k = first_watch(c, &wanted);
         k < c->watch_count && compare_watch_keys(c->sorted_watches[k], &wanted) == 0; k++) {
        struct tp_host_watch *w = c->sorted_watches[k];
        if (w->host >= c->d->hosts.count)
            continue;
        const struct tp_host *h = &c->d->hosts.items[w->host];
        while (at < count && c->samples[at].host < w->host)
            at++;
        bool has_sample = at < count && c->samples[at].host == w->host;
        w->is_compared = !as->are_groups && (has_sample ? tp_host_has_value(h, measure)
                                                        : as->has_zeros && tp_host_is_comparable(h, measure));
        w->value = has_sample ? c->samples[at].value : 0;
        w->fleet_value = w->is_below ? as->median : as->usual;
        w->least_distance = tp_fleet_least_distance(&rule, w->fleet_value, as->deviation, w->is_below);
    }
}

// COMPARING A MEASURE

// Returns the greatest value that a host may have of a name that its rows leave away.
static uint64_t greatest_unlisted(const struct tp_hosts *hosts, enum tp_host_measure measure)
{
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < hosts->count; i++) {
        uint64_t value = tp_host_unlisted_value(&hosts->items[i], measure);
        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

static uint64_t not_compared_count(const struct tp_hosts *hosts)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < hosts->count; i++) {
        for (uint32_t k = 0; k < hosts->items[i].row_count; k++) {
            const uint64_t *more = hosts->items[i].rows[k]->more_tops;
            count = tp_add_limited(count, tp_add_limited(more[TP_TOP_TASK], more[TP_TOP_REGION]));
        }
    }
    return count;
}

static void sort_values(struct comparing *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        c->values[i] = c->samples[i].value;
    qsort(c->values, count, sizeof *c->values, tp_compare_u64_at);
}

// Returns whether half of the hosts in the upper group of a finding have it: if not, other findings explain their values.
static bool are_found(const struct comparing *c, enum tp_host_measure measure, size_t count, uint64_t least)
{
    size_t upper = 0, found = 0;
    for (size_t i = 0; i < count && tp_is_of_finding(measure); i++) {
        bool is_upper = c->samples[i].value >= least;
        upper += is_upper;
        found += is_upper && found_in(c, &c->d->hosts.items[c->samples[i].host], measure) != NULL;
    }
    return found * 2 >= upper;
}

// Adds the two groups into which the values of a measure fall at this index.
static void add_groups(struct comparing *c, enum tp_host_measure measure, const struct tp_fleet_values *of, size_t split)
{
    const struct tp_host_top *top = c->samples[0].top;
    const struct tp_two_groups groups = {.measure = measure,
                                         .name = top != NULL ? top->name : TP_INTERN_NONE,
                                         .low_count = (uint32_t)split,
                                         .low = tp_fleet_median(of, 0, split),
                                         .high_count = (uint32_t)(of->count - split),
                                         .high = tp_fleet_median(of, split, of->count)};
    c->fits = c->fits && TP_LIST_ADD(&c->d->groups, groups);
}

// Compares the samples of a measure, and as many hosts with the value 0. The values that rows leave away are at most
// `unlisted`: a value is great if it exceeds the others even with that, and one that this may raise is not small.
static void compare(struct comparing *c, enum tp_host_measure measure, size_t count, size_t zero_count)
{
    const struct tp_fleet_rule rule = {tp_measure_info(measure), c->deviations_thousandths};
    const struct tp_fleet_values of = {c->values, zero_count, count + zero_count};
    bool has_partial = false;
    if (of.count < TP_HOSTS_LEAST)
        return;
    sort_values(c, count);
    for (size_t i = 0; i < count; i++)
        has_partial = has_partial || c->samples[i].is_partial;
    uint64_t cut = tp_is_bounded(measure) && (zero_count > 0 || has_partial) ? c->unlisted[measure - TP_HOST_TOP_FIRST] : 0;
    struct standing as = {.has_zeros = zero_count > 0};
    size_t split = tp_fleet_split(&rule, &of);
    if (split > 0) {
        uint64_t high = tp_fleet_value(&of, split), low = tp_fleet_value(&of, split - 1);
        as.are_groups = tp_fleet_is_far(&rule, high, has_partial ? tp_add_limited(low, cut) : cut, 0) &&
                        are_found(c, measure, count, high);
    }
    as.deviation = tp_fleet_deviation(&of, 0, of.count);
    as.median = tp_fleet_median(&of, 0, of.count);
    as.usual = has_partial ? tp_add_limited(as.median, cut) : as.median > cut ? as.median : cut;
    if (as.are_groups)
        add_groups(c, measure, &of, split);
    for (size_t i = 0; i < count && !as.are_groups; i++) {
        const struct sample *sample = &c->samples[i];
        bool is_below = sample->value < as.median;
        uint64_t middle = is_below ? as.median : as.usual;
        if ((is_below ? !sample->is_partial : sample->value > as.usual) &&
            tp_fleet_is_far(&rule, sample->value, middle, as.deviation))
            add_difference(c, measure, sample, middle);
    }
    watch(c, measure, count, &as);
}

// Takes the values that the hosts have of a measure which is not of a top, and returns their number.
static size_t take_host_samples(struct comparing *c, enum tp_host_measure measure)
{
    size_t n = 0;
    for (uint32_t i = 0; i < c->d->hosts.count; i++) {
        const struct tp_host *h = &c->d->hosts.items[i];
        if (tp_host_is_comparable(h, measure))
            c->samples[n++] = (struct sample){.value = tp_host_value(h, measure), .host = i};
    }
    return n;
}

static void note_procs(struct comparing *c)
{
    const struct tp_fleet_rule rule = {tp_measure_info(TP_HOST_PROCS), c->deviations_thousandths};
    size_t n = take_host_samples(c, TP_HOST_PROCS);
    const struct tp_fleet_values of = {c->values, 0, n};
    if (n < TP_HOSTS_LEAST)
        return;
    sort_values(c, n);
    c->d->fleet_procs = tp_fleet_median(&of, 0, n);
    uint64_t deviation = tp_fleet_deviation(&of, 0, n);
    for (size_t i = 0; i < n; i++) {
        if (tp_fleet_is_far(&rule, c->samples[i].value, c->d->fleet_procs, deviation))
            c->procs[c->samples[i].host] = c->samples[i].value;
    }
}

static void compare_hosts(struct comparing *c)
{
    for (unsigned i = 0; i < TP_HOST_TOP_FIRST; i++) {
        const enum tp_host_measure measure = (enum tp_host_measure)i;
        // The tails of a fleet's tasks are compared with each other, and not with the host's own median.
        if (measure != (enum tp_host_measure)TP_FINDS_SLOW_TASK && measure != TP_HOST_PROCS)
            compare(c, measure, take_host_samples(c, measure), 0);
    }
}

// TASKS, REGIONS AND WAITS

// Takes the values that the tops of one name have of a measure, and returns their number.
static size_t take_samples(struct comparing *c, const struct tp_host_top *tops, uint32_t count,
                           enum tp_host_measure measure)
{
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct tp_host *h = &c->d->hosts.items[tops[i].host];
        struct sample sample = {.host = tops[i].host, .top = &tops[i]};
        if (!tp_host_is_comparable(h, measure) || !tp_host_top_value(h, &tops[i], measure, &sample.value))
            continue;
        sample.is_partial = tp_is_bounded(measure) && tp_host_top_is_partial(h, &tops[i]);
        c->samples[n++] = sample;
    }
    return n;
}

// Notes on what the slow tasks or regions of one name spend more time than the median of the fleet, in the
// differences from `first` on, which are in the order of hosts.
static void explain_slow(struct comparing *c, const struct tp_host_top *tops, uint32_t count, uint32_t first)
{
    struct tp_differences *all = &c->d->differences;
    for (unsigned class = 0; class < TP_CLASS_COUNT && first < all->count; class++) {
        size_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct tp_host *h = &c->d->hosts.items[tops[i].host];
            struct sample sample = {.host = tops[i].host, .top = &tops[i]};
            if (!tp_host_is_damaged(h) && tp_host_top_class_ns(h, &tops[i], (enum tp_class)class, &sample.value))
                c->samples[n++] = sample;
        }
        sort_values(c, n);
        uint64_t median = n > 0 ? c->values[(n - 1) / 2] : 0;
        for (size_t i = 0, k = first; i < n && k < all->count; i++) {
            struct tp_difference *d = &all->items[k];
            if (c->samples[i].host != d->host)
                continue;
            uint64_t more = c->samples[i].value > median ? c->samples[i].value - median : 0;
            if (more > d->class_ns) {
                d->class = (enum tp_class)class;
                d->class_ns = more;
            }
            k++;
        }
    }
}

// Compares the tops of one name in all measures. A host without a value of a bounded measure has 0; one without
// such tasks or regions is not compared.
static void compare_name(struct comparing *c, const struct tp_host_top *tops, uint32_t count)
{
    for (unsigned i = TP_HOST_TOP_FIRST; i < TP_HOST_TOP_END; i++) {
        const enum tp_host_measure measure = (enum tp_host_measure)i;
        uint32_t first = c->d->differences.count;
        size_t n = take_samples(c, tops, count, measure);
        if (n == 0)
            continue;
        compare(c, measure, n, tp_is_bounded(measure) ? c->whole_count - n : 0);
        if (measure == TP_HOST_TASK_P50 || measure == TP_HOST_REGION_P50)
            explain_slow(c, tops, count, first);
    }
}

// Returns the index behind the last one of the same name.
static uint32_t end_of_name(const struct tp_host_tops *tops, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < tops->count && tp_host_tops_are_one_name(&tops->items[first], &tops->items[end]))
        end++;
    return end;
}

static void compare_all_tops(struct comparing *c)
{
    const struct tp_host_tops *tops = &c->tops;
    for (uint32_t first = 0, end; first < tops->count && c->fits; first = end) {
        end = end_of_name(tops, first);
        compare_name(c, &tops->items[first], end - first);
    }
}

// Whether the hosts run one program: half of them share a task, a region or a function that waits. Each program
// has main.main, and functions in it, and goroutines and events of the runtime.
static bool are_alike(const struct comparing *c)
{
    const struct tp_host_tops *tops = &c->tops;
    uint32_t most = 0;
    for (uint32_t first = 0, end; first < tops->count; first = end) {
        end = end_of_name(tops, first);
        struct tp_span name = tp_totals_text(c->s, tops->items[first].name);
        bool has_any = tops->items[first].kind >= TP_TOP_START || tp_span_is(name, "main.main") ||
                       tp_span_begins_with(name, "main.main.");
        most = !has_any && end - first > most ? end - first : most;
    }
    return 2 * (uint64_t)most >= c->d->hosts.count;
}

// WATCHING

static void find_watched(struct comparing *c)
{
    for (size_t k = 0; k < c->watch_count; k++) {
        struct tp_host_watch *w = &c->watches[k];
        w->host = tp_hosts_find(&c->d->hosts, c->s, w->host_name);
        w->is_compared = false;
        w->value = w->fleet_value = 0;
        w->least_distance = tp_measure_info(w->measure).least;
    }
}

// Lets each watched host have a value of each bounded measure, which is 0 if no host has one.
static void begin_watching_bounded(struct comparing *c)
{
    for (size_t k = 0; k < c->watch_count; k++) {
        struct tp_host_watch *w = &c->watches[k];
        c->sorted_watches[k] = w;
        w->is_compared = tp_is_bounded(w->measure) && w->host < c->d->hosts.count &&
                         tp_host_is_comparable(&c->d->hosts.items[w->host], w->measure);
    }
    if (c->watch_count > 0)
        qsort(c->sorted_watches, c->watch_count, sizeof *c->sorted_watches, compare_watches);
}

static void compare_everything(struct comparing *c)
{
    const struct tp_totals *s = c->s;
    uint32_t count = c->d->hosts.count;
    c->found = tp_alloc_array((size_t)s->found.count + 1, sizeof(void *));
    c->samples = tp_alloc_array((size_t)count + 1, sizeof *c->samples);
    c->values = tp_alloc_array((size_t)count + 1, sizeof *c->values);
    c->d->are_on_lines = tp_alloc_zero((size_t)s->found.count + 1);
    c->procs = tp_alloc_zero(((size_t)count + 1) * sizeof *c->procs);
    c->sorted_watches = tp_alloc_array(c->watch_count + 1, sizeof(void *));
    c->fits = c->sorted_watches != NULL && c->procs != NULL && c->found != NULL && c->d->are_on_lines != NULL &&
              c->samples != NULL && c->values != NULL;
    if (!c->fits)
        return;
    for (uint32_t i = 0; i < s->found.count; i++)
        c->found[i] = &s->found.items[i];
    qsort_r(c->found, s->found.count, sizeof *c->found, compare_found, (void *)s);
    c->fits = tp_host_tops_make(&c->d->hosts, &c->tops);
    for (unsigned m = TP_HOST_TOP_FIRST; m < TP_HOST_TOP_END; m++) {
        if (tp_is_bounded((enum tp_host_measure)m))
            c->unlisted[m - TP_HOST_TOP_FIRST] = greatest_unlisted(&c->d->hosts, (enum tp_host_measure)m);
    }
    c->d->not_compared_count = not_compared_count(&c->d->hosts);
    for (uint32_t i = 0; i < count; i++)
        c->whole_count += !tp_host_is_damaged(&c->d->hosts.items[i]);
    c->d->is_compared = c->fits && are_alike(c);
    if (!c->d->is_compared)
        return;
    begin_watching_bounded(c);
    // Each task and region has two measures, and each host has a value of each other one.
    c->deviations_thousandths = tp_deviations_for(
        FLEETS_PER_ALARM * ((uint64_t)count * TP_HOST_TOP_FIRST + 2 * (uint64_t)c->tops.count));
    note_procs(c);
    compare_hosts(c);
    compare_all_tops(c);
    c->fits = c->fits && tp_differs_list(s, c->d);
    for (uint32_t i = 0; i < c->d->count && c->fits; i++)
        put_on_line(c, &c->d->items[i]);
}

int tp_differs_make(const struct tp_totals *s, struct tp_differs *ret_differs, struct tp_error *err)
{
    return tp_differs_make_watching(s, NULL, 0, ret_differs, err);
}

int tp_differs_make_watching(const struct tp_totals *s, struct tp_host_watch *watches, size_t watch_count,
                             struct tp_differs *ret_differs, struct tp_error *err)
{
    struct tp_differs d = {.is_compared = false};
    struct comparing c = {.s = s, .d = &d, .watches = watches, .watch_count = watch_count, .fits = true};
    int rc = tp_hosts_make(s, LEAST_NS, &d.hosts, err);
    d.is_compared = rc == 0 && d.hosts.count >= TP_HOSTS_LEAST;
    find_watched(&c);
    if (d.is_compared)
        compare_everything(&c);
    tp_free(c.found);
    tp_free(c.tops.items);
    tp_free(c.samples);
    tp_free(c.values);
    tp_free(c.procs);
    tp_free(c.sorted_watches);
    if (!c.fits)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for hosts");
    if (rc != 0)
        tp_differs_fini(&d);
    *ret_differs = d;
    return rc;
}

void tp_differs_fini(struct tp_differs *d)
{
    tp_hosts_fini(&d->hosts);
    tp_free(d->items);
    tp_free(d->differences.items);
    tp_free(d->groups.items);
    tp_free(d->are_on_lines);
    *d = (struct tp_differs){0};
}
