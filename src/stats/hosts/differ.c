#include "stats/hosts/differ.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"
#include "stats/hosts/fleet_rule.h"
#include "stats/hosts/host_tops.h"

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
    struct tp_host_watch *watches;
    size_t watch_count;
    bool fits;              // false: out of memory
};

// FINDINGS

// Orders findings by path, kind and value, the greatest first.
static int compare_values(const struct tp_found *a, const struct tp_found *b)
{
    int order = tp_compare_u64(a->path, b->path);
    if (order == 0)
        order = tp_compare_u64(a->kind, b->kind);
    return order != 0 ? order : tp_compare_u64(b->value_ppm, a->value_ppm);
}

static int compare_found(const void *left, const void *right, void *ctx)
{
    const struct tp_found *a = *(const struct tp_found *const *)left;
    const struct tp_found *b = *(const struct tp_found *const *)right;
    int order = compare_values(a, b);
    return order != 0 ? order : tp_source_place_compare(ctx, &a->culprit, &b->culprit);
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

// Returns the name of the tasks, regions or waits of which the samples are; empty: of none.
static struct tp_span name_of(const struct comparing *c)
{
    const struct tp_host_top *top = c->samples[0].top;
    return top != NULL ? tp_totals_text(c->s, top->name) : tp_span_of("", 0);
}

static bool is_watched(const struct comparing *c, const struct tp_host_watch *w, enum tp_host_measure measure)
{
    return w->measure == measure && w->host < c->d->hosts.count &&
           tp_span_compare(w->name, name_of(c)) == 0;
}

// Notes how the watched hosts stand in a measure that was compared. `usual` is what values above the median are
// held against.
static void watch(struct comparing *c, enum tp_host_measure measure, size_t count, size_t zero_count,
                  uint64_t median, uint64_t usual, uint64_t deviation)
{
    const struct tp_fleet_rule rule = {tp_measure_info(measure), c->deviations_thousandths};
    for (size_t k = 0; k < c->watch_count; k++) {
        struct tp_host_watch *w = &c->watches[k];
        if (!is_watched(c, w, measure))
            continue;
        w->is_compared = zero_count > 0;
        w->value = 0;
        for (size_t i = 0; i < count; i++) {
            if (c->samples[i].host != w->host)
                continue;
            w->value = c->samples[i].value;
            w->is_compared = tp_host_has_value(&c->d->hosts.items[w->host], measure);
        }
        w->fleet_value = w->is_below ? median : usual;
        w->least_distance = tp_fleet_least_distance(&rule, w->fleet_value, deviation, w->is_below);
    }
}

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

// Compares the samples of a measure, and as many hosts with the value 0.
static void compare(struct comparing *c, enum tp_host_measure measure, size_t count, size_t zero_count)
{
    const struct tp_fleet_rule rule = {tp_measure_info(measure), c->deviations_thousandths};
    const struct tp_fleet_values of = {c->values, zero_count, count + zero_count};
    if (of.count < TP_HOSTS_LEAST)
        return;
    sort_values(c, count);
    uint64_t cut = zero_count > 0 ? c->unlisted[measure - TP_HOST_TOP_FIRST] : 0;
    size_t split = tp_fleet_split(&rule, &of);
    if (split > 0 && tp_fleet_is_far(&rule, tp_fleet_value(&of, split), cut, 0)) {
        const struct tp_host_top *top = c->samples[0].top;
        struct tp_two_groups groups = {.measure = measure,
                                       .name = top != NULL ? top->name : TP_INTERN_NONE,
                                       .low_count = (uint32_t)split,
                                       .low = tp_fleet_median(&of, 0, split),
                                       .high_count = (uint32_t)(of.count - split),
                                       .high = tp_fleet_median(&of, split, of.count)};
        for (size_t k = 0; k < c->watch_count; k++) {
            if (is_watched(c, &c->watches[k], measure))
                c->watches[k].is_compared = false;
        }
        c->fits = c->fits && TP_LIST_ADD(&c->d->groups, groups);
        return;
    }
    uint64_t deviation = tp_fleet_deviation(&of, 0, of.count), median = tp_fleet_median(&of, 0, of.count);
    uint64_t usual = median > cut ? median : cut;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &c->samples[i];
        bool is_below = sample->value < median;
        if ((is_below || sample->value > usual) &&
            tp_fleet_is_far(&rule, sample->value, is_below ? median : usual, deviation))
            add_difference(c, measure, sample, is_below ? median : usual);
    }
    watch(c, measure, count, zero_count, median, usual, deviation);
}

// Takes the values that the hosts have of a measure which is not of a top, and returns their number.
static size_t take_host_samples(struct comparing *c, enum tp_host_measure measure)
{
    size_t n = 0;
    for (uint32_t i = 0; i < c->d->hosts.count; i++) {
        const struct tp_host *h = &c->d->hosts.items[i];
        if (tp_host_is_comparable(h, measure))
            c->samples[n++] = (struct sample){tp_host_value(h, measure), i, NULL};
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
        struct sample sample = {0, tops[i].host, &tops[i]};
        if (tp_host_top_value(&c->d->hosts.items[sample.host], &tops[i], measure, &sample.value))
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
            struct sample sample = {0, tops[i].host, &tops[i]};
            if (tp_host_top_class_ns(&tops[i], (enum tp_class)class, &sample.value))
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
        compare(c, measure, n, tp_is_bounded(measure) ? c->d->hosts.count - count : 0);
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
        bool has_any = tops->items[first].kind >= TP_TOP_START || tp_span_is(name, "main.main") || tp_span_begins_with(name, "main.main.");
        most = !has_any && end - first > most ? end - first : most;
    }
    return 2 * (uint64_t)most >= c->d->hosts.count;
}

// THE LISTS

static int compare_texts(const struct tp_totals *s, uint32_t a, uint32_t b)
{
    return tp_span_compare(tp_totals_text(s, a), tp_totals_text(s, b));
}

// Findings come first, because they name the cause, as a lack of Ps does, above all if there are more or
// fewer of them than elsewhere; then what names a place.
static int rank_of(const struct tp_difference *d)
{
    if (d->found != NULL || d->measure == TP_HOST_RUNNABLE)
        return d->found == NULL && d->procs == 0;
    return tp_is_top_measure(d->measure) ? 2 : 3;
}

static int compare_differences(const void *left, const void *right, void *ctx)
{
    const struct tp_difference *a = left, *b = right;
    int order = tp_compare_u64(a->host, b->host);
    if (order == 0)
        order = rank_of(a) - rank_of(b);
    if (order == 0)
        order = tp_compare_u64(b->severity_ppm, a->severity_ppm);
    if (order == 0)
        order = tp_compare_u64(a->measure, b->measure);
    return order != 0 ? order : compare_texts(ctx, a->name, b->name);
}

static int compare_differing(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    const struct tp_differs *d = ctx;
    const struct tp_difference *first_of_a = &d->differences.items[a->first];
    const struct tp_difference *first_of_b = &d->differences.items[b->first];
    int order = rank_of(first_of_a) - rank_of(first_of_b);
    if (order == 0)
        order = tp_compare_u64(first_of_b->severity_ppm, first_of_a->severity_ppm);
    return order != 0 ? order : tp_compare_u64(a->host, b->host);
}

const struct tp_difference *tp_difference_beside(const struct tp_difference *first, uint32_t count)
{
    const struct tp_difference *wait = NULL;
    for (uint32_t i = 1; i < count && tp_measure_info(first->measure).of == TP_TOP_TASK; i++) {
        if (first[i].measure == TP_HOST_REGION_P50 || first[i].measure == TP_HOST_REGION_P99)
            return &first[i];
        if (first[i].measure == TP_HOST_WAIT && wait == NULL)
            wait = &first[i];
    }
    return wait;
}

static int compare_kinds(const struct tp_difference *a, const struct tp_difference *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    int order = tp_compare_u64(a->measure, b->measure);
    return order != 0 ? order : tp_compare_u64(a->name, b->name);
}

// Orders hosts by what their lines say, and then keeps their order.
static int compare_words(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    const struct comparing *c = ctx;
    const struct tp_difference *of_a = &c->d->differences.items[a->first];
    const struct tp_difference *of_b = &c->d->differences.items[b->first];
    int order = compare_kinds(of_a, of_b);
    if (order == 0)
        order = tp_compare_u64(of_a->procs, of_b->procs);
    if (order == 0)
        order = tp_compare_u64(of_a->class, of_b->class);
    if (order == 0)
        order = compare_kinds(tp_difference_beside(of_a, a->count), tp_difference_beside(of_b, b->count));
    if (order == 0 && of_a->found != NULL)
        order = tp_source_place_compare_functions(c->s, &of_a->found->culprit, &of_b->found->culprit);
    return order;
}

static int compare_words_and_lines(const void *left, const void *right, void *ctx)
{
    int order = compare_words(left, right, ctx);
    return order != 0 ? order : tp_compare_u64(((const struct tp_differing_host *)left)->line,
                                               ((const struct tp_differing_host *)right)->line);
}

static int compare_lines(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    return a->line != b->line ? tp_compare_u64(a->line, b->line) : compare_differing(left, right, ctx);
}

// Gives each host its line: the place of the worst host with the same words.
static void put_on_lines(struct comparing *c)
{
    struct tp_differs *d = c->d;
    qsort_r(d->items, d->count, sizeof *d->items, compare_differing, d);
    for (uint32_t i = 0; i < d->count; i++)
        d->items[i].line = i;
    qsort_r(d->items, d->count, sizeof *d->items, compare_words_and_lines, c);
    for (uint32_t i = 1; i < d->count; i++) {
        if (compare_words(&d->items[i - 1], &d->items[i], c) == 0)
            d->items[i].line = d->items[i - 1].line;
    }
    qsort_r(d->items, d->count, sizeof *d->items, compare_lines, d);
}

static int compare_groups(const void *left, const void *right, void *ctx)
{
    const struct tp_two_groups *a = left, *b = right;
    int order = tp_compare_u64(a->measure, b->measure);
    return order != 0 ? order : compare_texts(ctx, a->name, b->name);
}

static void list_hosts(struct comparing *c)
{
    struct tp_differs *d = c->d;
    struct tp_differences *all = &d->differences;
    if (all->count > 0)
        qsort_r(all->items, all->count, sizeof *all->items, compare_differences, (void *)c->s);
    for (uint32_t first = 0, end; first < all->count && c->fits; first = end) {
        for (end = first + 1; end < all->count && all->items[end].host == all->items[first].host;)
            end++;
        c->fits = TP_LIST_ADD(d, (struct tp_differing_host){all->items[first].host, first, end - first, 0});
    }
    if (d->count > 0)
        put_on_lines(c);
    for (uint32_t i = 0; i < d->count; i++)
        put_on_line(c, &d->items[i]);
    if (d->groups.count > 0)
        qsort_r(d->groups.items, d->groups.count, sizeof *d->groups.items, compare_groups,
                (void *)c->s);
}

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
        w->is_compared = tp_is_bounded(w->measure) && w->host < c->d->hosts.count;
    }
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
    c->fits = c->procs != NULL && c->found != NULL && c->d->are_on_lines != NULL && c->samples != NULL && c->values != NULL;
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
    c->d->is_compared = c->fits && are_alike(c);
    if (!c->d->is_compared)
        return;
    begin_watching_bounded(c);
    // Of each task and region there are two measures; of a bounded one each host has a value.
    c->deviations_thousandths = tp_deviations_for(
        FLEETS_PER_ALARM * ((uint64_t)count * TP_HOST_TOP_FIRST + 2 * (uint64_t)c->tops.count));
    note_procs(c);
    compare_hosts(c);
    compare_all_tops(c);
    list_hosts(c);
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
