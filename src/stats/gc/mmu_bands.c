#include "stats/gc/mmu_bands.h"

#include "base/alloc.h"

#define BANDS_MAX 1000
// Limit of times before and after 0, so that three times the length of a curve does not overflow.
#define TIME_MAX_NS (INT64_C(1) << 60)

static double least_of(double a, double b)
{
    return b < a ? b : a;
}

static void sum_points(struct tp_mmu_bands *b)
{
    double sum = 0;
    b->sums[0] = 0;
    for (size_t i = 1; i < b->point_count; i++) {
        const struct tp_util_point *before = &b->points[i - 1];
        sum += before->utilisation * (double)(b->points[i].time_ns - before->time_ns);
        b->sums[i] = sum;
    }
}

static void cut(struct tp_mmu_bands *b)
{
    size_t at = 0;
    for (size_t i = 0; i < b->band_count; i++) {
        struct tp_mmu_band *band = &b->bands[i];
        int64_t end_ns = tp_mmu_bands_begin(b, i + 1);
        band->sum = tp_mmu_bands_sum(b, &at, tp_mmu_bands_begin(b, i));
        band->point_idx = at;
        band->least = 1;
        for (size_t p = at; p < b->point_count && b->points[p].time_ns < end_ns; p++)
            band->least = least_of(band->least, b->points[p].utilisation);
    }
}

int tp_mmu_bands_init(struct tp_mmu_bands *b, const struct tp_util_series *series,
                      struct tp_error *err)
{
    *b = (struct tp_mmu_bands){.points = series->points, .point_count = series->point_count};
    if (b->points[0].time_ns <= -TIME_MAX_NS ||
        b->points[b->point_count - 1].time_ns >= TIME_MAX_NS)
        return tp_fail(err, TP_E_TOO_LARGE, "times too far apart for windows of utilisation");
    size_t count = b->point_count < BANDS_MAX ? b->point_count : BANDS_MAX;
    b->band_count = count + 1;
    b->band_ns = (tp_util_series_length(series) + (int64_t)count - 1) / (int64_t)count;
    b->sums = tp_alloc_array(b->point_count, sizeof *b->sums);
    b->bands = tp_alloc_array(b->band_count, sizeof *b->bands);
    if (b->sums == NULL || b->bands == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for windows of utilisation");
    sum_points(b);
    cut(b);
    return 0;
}

struct tp_mmu_reach tp_mmu_bands_reach(const struct tp_mmu_bands *b, int64_t window_ns)
{
    return (struct tp_mmu_reach){
        .window_ns = window_ns,
        .certain = (size_t)((window_ns + b->band_ns - 1) / b->band_ns),
        .possible = (size_t)((window_ns + 2 * (b->band_ns - 1)) / b->band_ns),
    };
}

double tp_mmu_bands_bound(const struct tp_mmu_bands *b, size_t band_idx,
                          const struct tp_mmu_reach *reach)
{
    // A window may cover only a part of its first band and of its last band, and its last band is
    // one of two bands (before_last, last). For the bound, assume that the window covers as much
    // as possible of the lowest of these three bands, and the remainder of the next lowest.
    const struct tp_mmu_band *band = &b->bands[band_idx];
    double first = band->least;
    double before_last = band[reach->certain - 1].least;
    double last = band[reach->possible - 1].least;
    double lowest = least_of(first, least_of(before_last, last));
    double sum = 0;
    if (reach->certain == 1) {
        sum += lowest * (double)reach->window_ns;
    } else {
        double second = lowest == first         ? least_of(before_last, last)
                        : lowest == before_last ? least_of(first, last)
                                                : least_of(first, before_last);
        sum += lowest * (double)b->band_ns;
        sum += second * (double)(reach->window_ns % b->band_ns);
    }
    // The window covers the bands between the first and before_last in full, so their integral is
    // known.
    if (reach->certain > 2)
        sum += band[reach->certain - 1].sum - band[1].sum;
    return sum / (double)reach->window_ns;
}
