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
    return !tp_needs_whole(measure) || !tp_host_is_damaged(h);
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

struct tp_host_top tp_host_top_of(enum tp_top_kind kind, uint32_t host, const struct tp_file_top *top)
{
    struct tp_host_top of = {.kind = kind,
                             .name = top->name,
                             .host = host,
                             .longest = top,
                             .count = top->count,
                             .total_ns = top->total_ns,
                             .mean_sum = (tp_wide)top->mean_ns * top->count,
                             .p50_sum = (tp_wide)top->p50_ns * top->count,
                             .p99_sum = (tp_wide)top->p99_ns * top->count};
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        of.class_sums[i] = (tp_wide)top->class_ns[i] * top->count;
    return of;
}

void tp_host_top_add(struct tp_host_top *into, const struct tp_host_top *from)
{
    into->count = tp_add_limited(into->count, from->count);
    into->total_ns = tp_wide_add(into->total_ns, from->total_ns);
    into->mean_sum = tp_wide_add(into->mean_sum, from->mean_sum);
    into->p50_sum = tp_wide_add(into->p50_sum, from->p50_sum);
    into->p99_sum = tp_wide_add(into->p99_sum, from->p99_sum);
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        into->class_sums[i] = tp_wide_add(into->class_sums[i], from->class_sums[i]);
}

bool tp_host_top_value(const struct tp_host *h, const struct tp_host_top *top,
                       enum tp_host_measure measure, uint64_t *ret_value)
{
    const struct tp_measure_info info = tp_measure_info(measure);
    tp_wide duration_ns = sum_of(h, TP_FILE_DURATION);
    uint64_t least_count = P50_COUNT_LEAST;
    *ret_value = 0;
    if (top->kind != info.of || (tp_needs_whole(measure) && tp_host_is_damaged(h)))
        return false;
    switch (measure) {
    case TP_HOST_WAIT:
    case TP_HOST_START_RUNNING: *ret_value = tp_wide_ratio(top->total_ns, 1000, duration_ns); return true;
    case TP_HOST_EVENT_RATE:
    case TP_HOST_START_RATE:
    case TP_HOST_TASK_RATE:
        *ret_value = tp_wide_ratio(top->count, 1000000000, duration_ns);
        return measure != TP_HOST_TASK_RATE || top->count >= least_count;
    case TP_HOST_TASK_P50:
    case TP_HOST_REGION_P50: *ret_value = tp_wide_ratio(top->p50_sum, 1, top->count); break;
    case TP_HOST_TASK_P99:
    case TP_HOST_REGION_P99:
        *ret_value = tp_wide_ratio(top->p99_sum, 1, top->count);
        least_count = P99_COUNT_LEAST;
        break;
    default: *ret_value = tp_wide_ratio(top->mean_sum, 1, top->count);
    }
    return top->count >= least_count;
}

bool tp_host_top_class_ns(const struct tp_host_top *top, enum tp_class class, uint64_t *ret_ns)
{
    *ret_ns = tp_wide_ratio(top->class_sums[class], 1, top->count);
    return top->count >= P50_COUNT_LEAST;
}

uint64_t tp_host_unlisted_value(const struct tp_host *h, enum tp_host_measure measure)
{
    enum tp_top_kind kind = tp_measure_info(measure).of;
    struct tp_host_top most = {.kind = kind};
    for (uint32_t i = 0; i < h->row_count; i++) {
        const struct tp_file_row *row = h->rows[i];
        if (row->more_tops[kind] == 0 || row->top_counts[kind] == 0)
            continue;
        const struct tp_host_top last = tp_host_top_of(kind, 0, &row->tops[kind][row->top_counts[kind] - 1]);
        tp_host_top_add(&most, &last);
    }
    uint64_t value;
    return tp_host_top_value(h, &most, measure, &value) ? value : 0;
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
    for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++) {
        for (uint32_t i = 0; i < row->top_counts[kind]; i++) {
            const struct tp_file_top *from = &row->tops[kind][i];
            const struct tp_host_top top = tp_host_top_of((enum tp_top_kind)kind, 0, from);
            if (tp_span_compare(tp_totals_text(s, from->name), measure->name) == 0 &&
                tp_host_top_value(&host, &top, measure->measure, ret_value))
                return true;
        }
    }
    return false;
}
