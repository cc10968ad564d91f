// A curve of utilisation that can be integrated between any two times, cut into bands of
// equal length that bound the mean of a window from below (for mmu.c only).
//
// Constant after init, so any thread may read it; borrows the points of its series until fini.
// Times are in ns, utilisation is 0 to 1.
#ifndef TP_STATS_GC_MMU_BANDS_H
#define TP_STATS_GC_MMU_BANDS_H

#include "stats/gc/mmu.h"

// A band. Its length is the same for all bands, and so is not stored here.
struct tp_mmu_band {
    double least;     // lowest utilisation within the band
    double sum;       // integral of the curve up to the band's beginning; ns
    size_t point_idx; // the last point at or before the band's beginning
};

// A curve cut into bands. Owns the arrays, but not the points.
struct tp_mmu_bands {
    const struct tp_util_point *points;
    size_t point_count;
    double *sums;      // integral of the curve up to each point; ns
    struct tp_mmu_band *bands;
    size_t band_count; // includes one extra band, which stands for the end of the curve
    int64_t band_ns;   // length of each band
};

// Cuts a series, which must be longer than 0 ns, into bands. Fails with TP_E_TOO_LARGE if a time is
// 2^60 ns or more from 0, and with TP_E_MEMORY. The caller must call fini even after a failure.
int tp_mmu_bands_init(struct tp_mmu_bands *b, const struct tp_util_series *series,
                      struct tp_error *err) TP_MUST_USE;

// The number of bands that a window overlaps, wherever it begins.
struct tp_mmu_reach {
    int64_t window_ns;
    size_t certain;  // at least
    size_t possible; // at most
};
// Returns the reach of windows of length `window_ns`.
struct tp_mmu_reach tp_mmu_bands_reach(const struct tp_mmu_bands *b, int64_t window_ns);
// Returns a lower bound of the mean of any window that begins in the band. Requires that at least
// reach->possible bands remain, this one included. No window that lies within the curve begins in
// a later band.
double tp_mmu_bands_bound(const struct tp_mmu_bands *b, size_t band_idx,
                          const struct tp_mmu_reach *reach);

// Returns the trace time in ns at which a band begins.
TP_INLINE int64_t tp_mmu_bands_begin(const struct tp_mmu_bands *b, size_t band_idx)
{
    return (int64_t)band_idx * b->band_ns + b->points[0].time_ns;
}

// Returns the integral of the curve up to `time_ns`, in ns. The search starts at point *point_idx,
// which is at or before that time or only just after it (see look_into_band in mmu.c). Sets
// *point_idx to the last point at or before that time.
TP_INLINE double tp_mmu_bands_sum(const struct tp_mmu_bands *b, size_t *point_idx, int64_t time_ns)
{
    enum { NEAR_POINTS = 8 }; // a linear scan of so few beats a binary search
    const struct tp_util_point *points = b->points;
    size_t at = *point_idx;
    // Usually the other edge of the window has met a point, or this edge has met its next point.
    if (tp_likely(at + 2 < b->point_count && points[at].time_ns <= time_ns &&
                  points[at + 2].time_ns > time_ns)) {
        at += points[at + 1].time_ns <= time_ns;
    } else if (at + NEAR_POINTS < b->point_count && points[at + NEAR_POINTS].time_ns > time_ns) {
        while (points[at + 1].time_ns <= time_ns)
            at++;
    } else {
        // The point is usually not far, so the search range grows exponentially from here.
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

// Returns the time in ns at which the curve next changes; INT64_MAX: never. `point_idx` must have
// been set by tp_mmu_bands_sum.
TP_INLINE int64_t tp_mmu_bands_next(const struct tp_mmu_bands *b, size_t point_idx)
{
    return point_idx + 1 < b->point_count ? b->points[point_idx + 1].time_ns : INT64_MAX;
}

#endif
