#include "stats/hosts/measures.h"

#include <string.h>

#include "base/text/nearest.h"

// A quantile says something of a host if at least ten tasks or regions took longer: the tail of fewer is what one
// stall of the machine made it.
#define P50_COUNT_LEAST 20
#define P99_COUNT_LEAST 1000

struct tp_measure_info tp_measure_info(enum tp_host_measure measure)
{
    static const struct tp_measure_info infos[] = {
#define TP_X(measure, of, key, label, unit, least, least_percent, is_two_sided, least_change)  \
    {TP_TOP_##of, key, label, TP_UNIT_##unit, least, least_percent, is_two_sided, least_change},
        TP_HOST_MEASURES(TP_X)
#undef TP_X
    };
    if (!tp_is_of_finding(measure))
        return infos[(unsigned)measure - TP_FINDS_COUNT];
    const struct tp_finding_kind_info *kind = &tp_finding_kinds[measure];
    return (struct tp_measure_info){TP_TOP_NONE,         kind->key, kind->title,
                                    TP_UNIT_OF_FINDING,  kind->threshold_ppm, 200,
                                    false,               kind->threshold_ppm / 2};
}

uint64_t tp_deviations_for(uint64_t tests)
{
    static const uint16_t thousandths[] = {3719, 4265, 4753, 5199, 5612, 5998, 6361, 6706, 7034};
    uint64_t most = 10000;
    size_t i = 0;
    for (; i + 1 < TP_ARRAY_LEN(thousandths) && most < tests; i++)
        most *= 10;
    return thousandths[i];
}

static tp_wide sum_of(const struct tp_host *h, enum tp_file_figure figure)
{
    tp_wide sum = 0;
    for (uint32_t i = 0; i < h->row_count; i++)
        sum = tp_wide_add(sum, h->rows[i]->figures[figure]);
    return sum;
}

static tp_wide blocked_ns(const struct tp_host *h)
{
    tp_wide sum = 0;
    for (uint32_t i = 0; i < h->row_count; i++) {
        const tp_wide *f = h->rows[i]->figures;
        tp_wide ns = tp_wide_add(f[TP_FILE_BLOCKED], f[TP_FILE_SYSCALL]);
        sum = tp_wide_add(sum, ns > f[TP_FILE_IDLE_WAITS] ? ns - f[TP_FILE_IDLE_WAITS] : 0);
    }
    return sum;
}

static uint64_t greatest(const struct tp_host *h, enum tp_finding_kind kind)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < h->row_count; i++) {
        uint64_t of_row = h->rows[i]->values[kind];
        value = of_row != TP_VALUE_NONE && of_row > value ? of_row : value;
    }
    return value;
}

static uint64_t growth(const struct tp_host *h)
{
    tp_wide value = 0;
    for (uint32_t i = 0; i < h->row_count; i++) {
        tp_wide of_row = h->rows[i]->figures[TP_FILE_GREW];
        value = of_row > value ? of_row : value;
    }
    return tp_wide_limited(value);
}

uint64_t tp_host_value(const struct tp_host *h, enum tp_host_measure measure)
{
    tp_wide duration_ns = sum_of(h, TP_FILE_DURATION);
    switch (measure) {
    case TP_HOST_RUNNABLE: return tp_wide_ratio(sum_of(h, TP_FILE_SCHEDULING), 1000, duration_ns);
    case TP_HOST_BLOCKED: return tp_wide_ratio(blocked_ns(h), 1000, duration_ns);
    case TP_HOST_GROWTH: return growth(h);
    case TP_HOST_HEAP: return tp_wide_ratio(sum_of(h, TP_FILE_HEAP), 1, sum_of(h, TP_FILE_HEAP_KNOWN));
    case TP_HOST_PS_USED: return tp_wide_ratio(sum_of(h, TP_FILE_PROCS_USED), 1000, duration_ns);
    case TP_HOST_EVENTS: return tp_wide_ratio(sum_of(h, TP_FILE_EVENTS), 1000000000, duration_ns);
    case TP_HOST_PROCS: return tp_wide_ratio(sum_of(h, TP_FILE_PROCS), 1000, sum_of(h, TP_FILE_PROCS_KNOWN));
    default: return greatest(h, (enum tp_finding_kind)measure);
    }
}

bool tp_host_is_comparable(const struct tp_host *h, enum tp_host_measure measure)
{
    if (measure == TP_HOST_PROCS)
        return tp_host_has_value(h, measure);
    return tp_is_of_finding(measure) || !tp_host_is_damaged(h);
}

bool tp_host_has_value(const struct tp_host *h, enum tp_host_measure measure)
{
    if (measure == TP_HOST_PROCS)
        return sum_of(h, TP_FILE_PROCS_KNOWN) > 0;
    bool has = !tp_is_of_finding(measure);
    for (uint32_t i = 0; i < h->row_count && !has; i++)
        has = h->rows[i]->values[measure] != TP_VALUE_NONE;
    return has;
}

// TOPS

// The sums of the tops of one kind and name in the inputs of a host.
struct top_sums {
    uint64_t count;
    tp_wide total_ns;
    tp_wide mean_ns, p50_ns, p99_ns, class_ns[TP_CLASS_COUNT]; // times the count of each
    bool is_partial; // an input without the name leaves some away
};

static void add_times(struct top_sums *sums, const struct tp_file_times *times, uint64_t count)
{
    sums->mean_ns = tp_wide_add(sums->mean_ns, (tp_wide)times->mean_ns * count);
    sums->p50_ns = tp_wide_add(sums->p50_ns, (tp_wide)times->p50_ns * count);
    sums->p99_ns = tp_wide_add(sums->p99_ns, (tp_wide)times->p99_ns * count);
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        sums->class_ns[i] = tp_wide_add(sums->class_ns[i], (tp_wide)times->class_ns[i] * count);
}

static struct top_sums sums_of(const struct tp_host *h, const struct tp_host_top *top)
{
    struct top_sums sums = {0};
    for (uint32_t i = 0; i < h->row_count; i++) {
        const struct tp_file_row *row = h->rows[i];
        bool has_name = false;
        // Two types of events may have one name.
        for (uint32_t k = 0; k < row->top_counts[top->kind]; k++) {
            const struct tp_file_top *of = &row->tops[top->kind][k];
            if (of->name != top->name)
                continue;
            has_name = true;
            sums.count = tp_add_limited(sums.count, of->count);
            sums.total_ns = tp_wide_add(sums.total_ns, of->total_ns);
            if (top->kind < TP_TOP_TIMED)
                add_times(&sums, &row->times[top->kind][k], of->count);
        }
        sums.is_partial = sums.is_partial || (!has_name && row->more_tops[top->kind] > 0);
    }
    return sums;
}

bool tp_host_top_value(const struct tp_host *h, const struct tp_host_top *top,
                       enum tp_host_measure measure, uint64_t *ret_value)
{
    tp_wide duration_ns = sum_of(h, TP_FILE_DURATION), weighted_ns;
    uint64_t least_count = P50_COUNT_LEAST;
    *ret_value = 0;
    if (top->kind != tp_measure_info(measure).of)
        return false;
    const struct top_sums sums = sums_of(h, top);
    switch (measure) {
    case TP_HOST_WAIT:
    case TP_HOST_START_RUNNING: *ret_value = tp_wide_ratio(sums.total_ns, 1000, duration_ns); return true;
    case TP_HOST_EVENT_RATE: *ret_value = tp_wide_ratio(sums.count, 1000000000, duration_ns); return true;
    case TP_HOST_START_RATE:
        *ret_value = tp_wide_ratio(sums.count, 1000000000, duration_ns);
        return !sums.is_partial;
    case TP_HOST_TASK_RATE:
        *ret_value = tp_wide_ratio(sums.count, 1000000000, duration_ns);
        return sums.count >= least_count && !sums.is_partial;
    case TP_HOST_TASK_P50:
    case TP_HOST_REGION_P50: weighted_ns = sums.p50_ns; break;
    case TP_HOST_TASK_P99:
    case TP_HOST_REGION_P99:
        weighted_ns = sums.p99_ns;
        least_count = P99_COUNT_LEAST;
        break;
    default: weighted_ns = sums.mean_ns;
    }
    *ret_value = tp_wide_ratio(weighted_ns, 1, sums.count);
    return sums.count >= least_count;
}

uint64_t tp_host_top_count(const struct tp_host *h, const struct tp_host_top *top)
{
    return sums_of(h, top).count;
}

bool tp_host_top_is_partial(const struct tp_host *h, const struct tp_host_top *top)
{
    return sums_of(h, top).is_partial;
}

bool tp_host_top_class_ns(const struct tp_host *h, const struct tp_host_top *top, enum tp_class class,
                          uint64_t *ret_ns)
{
    const struct top_sums sums = sums_of(h, top);
    *ret_ns = tp_wide_ratio(sums.class_ns[class], 1, sums.count);
    return sums.count >= P50_COUNT_LEAST;
}

uint64_t tp_host_unlisted_value(const struct tp_host *h, enum tp_host_measure measure)
{
    enum tp_top_kind kind = tp_measure_info(measure).of;
    tp_wide total_ns = 0, count = 0, duration_ns = sum_of(h, TP_FILE_DURATION);
    for (uint32_t i = 0; i < h->row_count; i++) {
        const struct tp_file_row *row = h->rows[i];
        if (row->more_tops[kind] == 0 || row->top_counts[kind] == 0)
            continue;
        const struct tp_file_top *last = &row->tops[kind][row->top_counts[kind] - 1];
        total_ns = tp_wide_add(total_ns, last->total_ns);
        count = tp_wide_add(count, last->count);
    }
    return measure == TP_HOST_EVENT_RATE ? tp_wide_ratio(count, 1000000000, duration_ns)
                                         : tp_wide_ratio(total_ns, 1000, duration_ns);
}

// NAMED

int tp_measure_parse(const char *text, struct tp_named_measure *ret, struct tp_error *err)
{
    const char *colon = strchrnul(text, ':');
    struct tp_nearest nearest = {.word = tp_span_of(text, (size_t)(colon - text))};
    for (unsigned i = 0; i < TP_HOST_MEASURE_COUNT; i++) {
        const enum tp_host_measure measure = (enum tp_host_measure)i;
        const char *key = tp_measure_info(measure).key;
        tp_nearest_try(&nearest, key);
        if (!tp_span_is(nearest.word, key))
            continue;
        *ret = (struct tp_named_measure){measure, tp_span_of_text(*colon == ':' ? colon + 1 : "")};
        if (tp_is_top_measure(measure) == (ret->name.len_bytes > 0))
            return 0;
        return tp_fail(err, TP_E_USAGE,
                       tp_is_top_measure(measure) ? "measure '%s' needs a name: %s:NAME"
                                                  : "measure '%s' takes no name, unlike %s",
                       key, tp_is_top_measure(measure) ? key : "task_p50:NAME");
    }
    return tp_nearest_fail(&nearest, "unknown measure", err);
}

bool tp_row_value(const struct tp_totals *s, const struct tp_file_row *row,
                  const struct tp_named_measure *measure, uint64_t *ret_value)
{
    const struct tp_host host = {.rows = &row, .row_count = 1};
    if (!tp_is_top_measure(measure->measure)) {
        bool is_known = tp_host_has_value(&host, measure->measure);
        *ret_value = is_known ? tp_host_value(&host, measure->measure) : 0;
        return is_known;
    }
    const enum tp_top_kind kind = tp_measure_info(measure->measure).of;
    for (uint32_t i = 0; i < row->top_counts[kind]; i++) {
        const struct tp_host_top top = {.kind = kind, .name = row->tops[kind][i].name};
        if (tp_span_compare(tp_totals_text(s, top.name), measure->name) == 0 &&
            tp_host_top_value(&host, &top, measure->measure, ret_value))
            return true;
    }
    return false;
}
