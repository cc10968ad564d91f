#include "stats/hosts/differ.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"
#include "stats/hosts/host_tops.h"

#define PPM 1000000
// Shorter inputs are not compared: what begins and ends them would decide.
#define LEAST_NS 500000000
// The ratio of the standard deviation of a normal distribution to the median of the distances from its median,
// in thousandths.
#define SCALE 1483
// A deviation is at least this part of the median.
#define NOISE_PARTS 20
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
    uint64_t most_cut;      // the most goroutines that a host may have in a wait which its row leaves away
    uint64_t deviations_thousandths; // that make a difference
    struct tp_host_watch *watches;
    size_t watch_count;
    bool fits;              // false: out of memory
};

// THE RULE

// A sorted list of values, of which the first `zero_count` are 0 and not in the array.
struct sorted {
    const uint64_t *values;
    size_t zero_count, count; // of all
};

static uint64_t at(const struct sorted *of, size_t i)
{
    return i < of->zero_count ? 0 : of->values[i - of->zero_count];
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

// Returns the median of the distances of values from `middle`, which is one of them: the distances below it
// and above it are sorted, so they are merged up to the middle one.
static uint64_t median_distance(const struct sorted *of, size_t first, size_t end, uint64_t middle)
{
    size_t low = first, high;
    while (low < end && at(of, low) < middle)
        low++;
    high = low;
    uint64_t next = 0;
    for (size_t i = 0; i <= (end - first - 1) / 2; i++) {
        bool takes_low = low > first && (high >= end || middle - at(of, low - 1) < at(of, high) - middle);
        next = takes_low ? middle - at(of, --low) : at(of, high++) - middle;
    }
    return next;
}

// Returns the median of the values from `first` to before `end`.
static uint64_t median_of(const struct sorted *of, size_t first, size_t end)
{
    return at(of, first + (end - first - 1) / 2);
}

// Returns the robust deviation of these values.
static uint64_t deviation_of(const struct sorted *of, size_t first, size_t end)
{
    size_t count = end - first;
    // Most hosts have no such wait; there may be as many of these as hosts, so none costs a walk over all.
    if (first == 0 && of->zero_count > count / 4 * 3 + 3)
        return 0;
    uint64_t median = median_of(of, first, end);
    uint64_t spread = median_distance(of, first, end, median);
    uint64_t upper = at(of, first + (count - 1) * 3 / 4) - median;
    uint64_t least = median / NOISE_PARTS;
    uint64_t scaled = tp_wide_limited((tp_wide)(upper > spread ? upper : spread) * SCALE / 1000);
    return scaled > least ? scaled : least;
}

// Returns how far from the median a value lies at least, above it or below it, if its host differs: by so much
// that it is worth telling, and beyond the noise.
static uint64_t least_distance(const struct comparing *c, const struct tp_measure_info *info, uint64_t median,
                               uint64_t deviation, bool is_below)
{
    tp_wide noise = ((tp_wide)c->deviations_thousandths * deviation + 999) / 1000;
    tp_wide effect = is_below ? median - (tp_wide)median * 100 / info->least_percent
                              : ((tp_wide)median * info->least_percent + 99) / 100 - median;
    effect = effect > info->least ? effect : info->least;
    return tp_wide_limited(effect > noise ? effect : noise);
}

// Whether a host with this value differs.
static bool is_far(const struct comparing *c, const struct tp_measure_info *info, uint64_t value,
                   uint64_t median, uint64_t deviation)
{
    bool is_below = value < median;
    return (!is_below || info->is_two_sided) &&
           distance(value, median) >= least_distance(c, info, median, deviation, is_below);
}

// Returns where the values fall into two groups: the index of the first value of the upper one; 0: they
// do not.
static size_t split_of(const struct comparing *c, const struct tp_measure_info *info,
                       const struct sorted *of)
{
    size_t best = 0, quarter = (of->count + 3) / 4;
    uint64_t gap = 0;
    for (size_t i = quarter > of->zero_count ? quarter : of->zero_count; i + quarter <= of->count; i++) {
        if (at(of, i) - at(of, i - 1) > gap) {
            gap = at(of, i) - at(of, i - 1);
            best = i;
        }
    }
    if (best == 0)
        return 0;
    // The values of hosts with a fault vary by themselves, so only the others say what is usual.
    uint64_t deviation = deviation_of(of, 0, best);
    return is_far(c, info, at(of, best), at(of, best - 1), deviation) ? best : 0;
}

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

// Returns the finding of this kind with the greatest value in the inputs of a host; NULL: there is none,
// because another finding explains the value.
static const struct tp_found *found_in(const struct comparing *c, const struct tp_host *h, uint32_t kind)
{
    const struct tp_found *best = NULL;
    for (uint32_t i = 0; i < h->row_count; i++) {
        const struct tp_found wanted = {.path = h->rows[i]->path, .kind = kind, .value_ppm = h->rows[i]->values[kind]};
        size_t low = 0, high = c->s->found.count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (compare_values(c->found[middle], &wanted) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        // Inputs of one path are told by the value.
        bool is_found = low < c->s->found.count && compare_values(c->found[low], &wanted) == 0;
        if (is_found && (best == NULL || c->found[low]->value_ppm > best->value_ppm))
            best = c->found[low];
    }
    return best;
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
        .severity_ppm = tp_wide_ratio(distance(sample->value, median), PPM, info.least),
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

// Notes how the watched hosts stand in a measure that was compared.
static void watch(struct comparing *c, enum tp_host_measure measure, size_t count, size_t zero_count,
                  uint64_t median, uint64_t deviation)
{
    const struct tp_measure_info info = tp_measure_info(measure);
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
        w->fleet_value = median;
        w->least_distance = least_distance(c, &info, median, deviation, w->is_below);
    }
}

// Compares the samples of a measure, and as many hosts with the value 0.
static void compare(struct comparing *c, enum tp_host_measure measure, size_t count, size_t zero_count)
{
    const struct tp_measure_info info = tp_measure_info(measure);
    const struct sorted of = {c->values, zero_count, count + zero_count};
    if (of.count < TP_HOSTS_LEAST)
        return;
    for (size_t i = 0; i < count; i++)
        c->values[i] = c->samples[i].value;
    qsort(c->values, count, sizeof *c->values, tp_compare_u64_at);
    uint64_t cut = measure == TP_HOST_WAIT && zero_count > 0 ? c->most_cut : 0;
    size_t split = split_of(c, &info, &of);
    if (split > 0 && is_far(c, &info, at(&of, split), cut, 0)) {
        const struct tp_host_top *top = c->samples[0].top;
        struct tp_two_groups groups = {.measure = measure,
                                       .name = top != NULL ? top->name : TP_INTERN_NONE,
                                       .low_count = (uint32_t)split,
                                       .low = median_of(&of, 0, split),
                                       .high_count = (uint32_t)(of.count - split),
                                       .high = median_of(&of, split, of.count)};
        for (size_t k = 0; k < c->watch_count; k++) {
            if (is_watched(c, &c->watches[k], measure))
                c->watches[k].is_compared = false;
        }
        c->fits = c->fits && TP_LIST_ADD(&c->d->groups, groups);
        return;
    }
    uint64_t deviation = deviation_of(&of, 0, of.count), median = median_of(&of, 0, of.count);
    median = median > cut ? median : cut;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &c->samples[i];
        if (is_far(c, &info, sample->value, median, deviation))
            add_difference(c, measure, sample, median);
    }
    watch(c, measure, count, zero_count, median, deviation);
}

static void compare_hosts(struct comparing *c)
{
    const struct tp_hosts *hosts = &c->d->hosts;
    for (unsigned measure = 0; measure < TP_HOST_TOP_FIRST; measure++) {
        // The tails of a fleet's tasks are compared with each other, and not with the host's own median.
        if (measure == TP_FINDS_SLOW_TASK)
            continue;
        size_t n = 0;
        for (uint32_t i = 0; i < hosts->count; i++) {
            const struct tp_host *h = &hosts->items[i];
            if (!tp_needs_whole((enum tp_host_measure)measure) || !tp_host_is_damaged(h))
                c->samples[n++] = (struct sample){tp_host_value(h, (enum tp_host_measure)measure), i, NULL};
        }
        compare(c, (enum tp_host_measure)measure, n, 0);
    }
}

// TASKS, REGIONS AND WAITS

// Compares the tops of one name in all measures. Of waits a host may have none; a host without such tasks
// or regions is not compared.
static void compare_name(struct comparing *c, const struct tp_host_top *tops, uint32_t count)
{
    const struct tp_hosts *hosts = &c->d->hosts;
    for (unsigned measure = TP_HOST_TOP_FIRST; measure < TP_HOST_TOP_END; measure++) {
        size_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            struct sample sample = {0, tops[i].host, &tops[i]};
            if (tp_host_top_value(&hosts->items[tops[i].host], &tops[i], (enum tp_host_measure)measure,
                                  &sample.value))
                c->samples[n++] = sample;
        }
        if (n > 0)
            compare(c, (enum tp_host_measure)measure, n,
                    measure == TP_HOST_WAIT ? hosts->count - count : 0);
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
// has main.main, and functions in it.
static bool are_alike(const struct comparing *c)
{
    const struct tp_host_tops *tops = &c->tops;
    uint32_t most = 0;
    for (uint32_t first = 0, end; first < tops->count; first = end) {
        end = end_of_name(tops, first);
        struct tp_span name = tp_totals_text(c->s, tops->items[first].name);
        bool has_any = tp_span_is(name, "main.main") || tp_span_begins_with(name, "main.main.");
        most = !has_any && end - first > most ? end - first : most;
    }
    return 2 * (uint64_t)most >= c->d->hosts.count;
}

// THE LISTS

static int compare_texts(const struct tp_totals *s, uint32_t a, uint32_t b)
{
    return tp_span_compare(tp_totals_text(s, a), tp_totals_text(s, b));
}

// Findings come first, because they name the cause, as a lack of Ps does, then what names a place.
static int rank_of(const struct tp_difference *d)
{
    if (d->found != NULL || d->measure == TP_HOST_RUNNABLE)
        return d->found == NULL;
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

// Orders hosts by what their first difference says, and then keeps their order.
static int compare_words(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    const struct comparing *c = ctx;
    const struct tp_difference *of_a = &c->d->differences.items[a->first];
    const struct tp_difference *of_b = &c->d->differences.items[b->first];
    int order = tp_compare_u64(of_a->measure, of_b->measure);
    if (order == 0)
        order = tp_compare_u64(of_a->name, of_b->name);
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

// Lets each watched host have a value in each wait, which is 0 if no host waits there.
static void begin_watching_waits(struct comparing *c)
{
    for (size_t k = 0; k < c->watch_count; k++) {
        struct tp_host_watch *w = &c->watches[k];
        w->is_compared = w->measure == TP_HOST_WAIT && w->host < c->d->hosts.count;
    }
}

// Returns the most goroutines, in thousandths, that a host may have in a wait which its row leaves away: those of
// the shortest wait of a full row.
static uint64_t most_cut_of(const struct tp_hosts *hosts)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < hosts->count; i++) {
        for (uint32_t k = 0; k < hosts->items[i].row_count; k++) {
            const struct tp_file_row *row = hosts->items[i].rows[k];
            const struct tp_file_top *last = &row->tops[TP_TOP_WAIT][TP_TOPS_PER_KIND - 1];
            if (row->top_counts[TP_TOP_WAIT] < TP_TOPS_PER_KIND)
                continue;
            uint64_t goroutines = tp_wide_ratio(last->total_ns, 1000, row->figures[TP_FILE_DURATION]);
            most = goroutines > most ? goroutines : most;
        }
    }
    return most;
}

static void compare_everything(struct comparing *c)
{
    const struct tp_totals *s = c->s;
    uint32_t count = c->d->hosts.count;
    c->found = tp_alloc_array((size_t)s->found.count + 1, sizeof(void *));
    c->samples = tp_alloc_array((size_t)count + 1, sizeof *c->samples);
    c->values = tp_alloc_array((size_t)count + 1, sizeof *c->values);
    c->fits = c->found != NULL && c->samples != NULL && c->values != NULL;
    if (!c->fits)
        return;
    for (uint32_t i = 0; i < s->found.count; i++)
        c->found[i] = &s->found.items[i];
    qsort_r(c->found, s->found.count, sizeof *c->found, compare_found, (void *)s);
    c->fits = tp_host_tops_make(&c->d->hosts, &c->tops);
    c->most_cut = most_cut_of(&c->d->hosts);
    c->d->is_compared = c->fits && are_alike(c);
    if (!c->d->is_compared)
        return;
    begin_watching_waits(c);
    // Of each task and region there are two measures; of a wait each host has a value.
    c->deviations_thousandths = tp_deviations_for(
        FLEETS_PER_ALARM * ((uint64_t)count * TP_HOST_TOP_FIRST + 2 * (uint64_t)c->tops.count));
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
    *d = (struct tp_differs){0};
}
