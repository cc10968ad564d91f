// A curve of utilisation that can be integrated from anywhere to anywhere, cut into
// bands of equal length that tell how low the mean of a window can be (for mmu.c only).
//
// Constant once made; borrows its points.
#ifndef TP_STATS_GC_MMU_BANDS_H
#define TP_STATS_GC_MMU_BANDS_H

#include "stats/gc/mmu.h"

struct tp_mmu_band {
    double least;     // utilisation at any moment of it
    double sum;       // integral of the curve up to its begin; ns
    size_t point_idx; // the last point that is not behind its begin
};

struct tp_mmu_bands {
    const struct tp_util_point *points;
    size_t point_count;
    double *sums;      // integral of the curve up to each point; ns
    struct tp_mmu_band *bands;
    size_t band_count; // one more than the curve is cut into: that one is its end
    int64_t band_ns;
};

// `series` lasts longer than no time. TP_E_TOO_LARGE, TP_E_MEMORY; fini is due in any case.
int tp_mmu_bands_init(struct tp_mmu_bands *b, const struct tp_util_series *series,
                      struct tp_error *err) TP_MUST_USE;
void tp_mmu_bands_fini(struct tp_mmu_bands *b);

// How many bands a window meets, wherever it begins: at least and at most.
struct tp_mmu_reach {
    int64_t window_ns;
    size_t certain;
    size_t possible;
};
struct tp_mmu_reach tp_mmu_bands_reach(const struct tp_mmu_bands *b, int64_t window_ns);
// Not above any mean of a window that begins in the band. Those at the end that have
// less than `possible` bands from them on are left to the band before.
double tp_mmu_bands_bound(const struct tp_mmu_bands *b, size_t band_idx,
                          const struct tp_mmu_reach *reach);

TP_INLINE int64_t tp_mmu_bands_length(const struct tp_mmu_bands *b)
{
    return b->points[b->point_count - 1].time_ns - b->points[0].time_ns;
}

TP_INLINE int64_t tp_mmu_bands_begin(const struct tp_mmu_bands *b, size_t band_idx)
{
    return (int64_t)band_idx * b->band_ns + b->points[0].time_ns;
}

// Integral of the curve up to a moment, from a point on that is not behind it, or only
// just: see look_into_band. *point_idx becomes the last point that is not behind it.
TP_INLINE double tp_mmu_bands_sum(const struct tp_mmu_bands *b, size_t *point_idx, int64_t time_ns)
{
    enum { NEAR_POINTS = 8 }; // so few are not worth a binary search
    const struct tp_util_point *points = b->points;
    size_t at = *point_idx;
    // Mostly the other edge of the window has met a point, or this one the next.
    if (tp_likely(at + 2 < b->point_count && points[at].time_ns <= time_ns &&
                  points[at + 2].time_ns > time_ns)) {
        at += points[at + 1].time_ns <= time_ns;
    } else if (at + NEAR_POINTS < b->point_count && points[at + NEAR_POINTS].time_ns > time_ns) {
        while (points[at + 1].time_ns <= time_ns)
            at++;
    } else {
        // Mostly not very far, so the range to search grows from here.
        size_t from = at, reach = NEAR_POINTS;
        while (at + reach < b->point_count && points[at + reach].time_ns <= time_ns) {
            from = at + reach;
            reach *= 2;
        }
        size_t to = at + reach < b->point_count ? at + reach : b->point_count;
        while (from < to) {
            size_t middle = from + (to - from) / 2;
            if (points[middle].time_ns <= time_ns)
                from = middle + 1;
            else
                to = middle;
        }
        at = from - 1;
    }
    *point_idx = at;
    return b->sums[at] + points[at].utilisation * (double)(time_ns - points[at].time_ns);
}

// When the curve changes next, with a point as tp_mmu_bands_sum leaves it.
TP_INLINE int64_t tp_mmu_bands_next(const struct tp_mmu_bands *b, size_t point_idx)
{
    return point_idx + 1 < b->point_count ? b->points[point_idx + 1].time_ns : INT64_MAX;
}

#endif
