// Mutator utilisation over windows of time: how much of the processors the collector
// leaves to the program at worst (MMU), and how that is distributed (MUD). Pure arithmetic
// over a curve, such as that of curve.h.
//
// The mean over a window that slides along a step function is piecewise linear, with bends
// where an edge of the window meets a step; so only those places are evaluated. The curve is
// cut into at most 1000 bands of equal length, each with a lower bound of the mean of the
// windows that begin in it; bands are searched from the lowest bound upwards, until no
// remaining bound can change the result.
//
// The figures equal Go's (internal/trace of Go 1.26 on amd64) bit for bit, because the
// same doubles are added in the same order. tp_mmu_quantiles is the one exception.
//
// The last band may end after the curve. As in Go, a window may then reach past the end of
// the curve, where utilisation is 0, by fewer ns than there are bands; so figures for
// windows not much longer than that may be too low.
//
// Times and windows are in ns. One thread at a time may use an object: queries write to its
// memory. An object remains usable after a failed query.
#ifndef TP_STATS_GC_MMU_H
#define TP_STATS_GC_MMU_H

#include "base/err.h"

// A point of a step function.
struct tp_util_point {
    int64_t time_ns;
    double utilisation; // from time_ns on; 0 to 1
};

// A step function, defined from its first point to its last; the value of the last point
// does not matter. Times increase. Borrows the points.
struct tp_util_series {
    struct tp_util_point *points;
    size_t point_count;
};

// Returns the time from the first point to the last, in ns; 0 if there are no points.
TP_INLINE int64_t tp_util_series_length(const struct tp_util_series *s)
{
    return s->point_count > 0 ? s->points[s->point_count - 1].time_ns - s->points[0].time_ns : 0;
}

struct tp_mmu;

// Creates an object for queries; tp_mmu_destroy frees it. Borrows the points until destroy. A
// series of length 0 has no windows. Fails with TP_E_TOO_LARGE if a time is 2^60 ns (36 years) or
// more from 0, and with TP_E_MEMORY; *ret is then not set.
int tp_mmu_create(const struct tp_util_series *series, struct tp_mmu **ret,
                  struct tp_error *err) TP_MUST_USE;
// Frees the object, but not the points. NULL is fine.
void tp_mmu_destroy(struct tp_mmu *m);

// Returns the least mean over any window of length `window_ns`. A window longer than the series is
// shortened to it. Returns 0 for a window of length 0, and 1 if there are no windows.
double tp_mmu_least(struct tp_mmu *m, int64_t window_ns);

// Computes quantiles of the window means: for each of `count` shares of 0 to 1, the mean that
// this share of all windows does not exceed. The share of a set of windows is the share of time
// in which they begin. A series shorter than `window_ns` has no windows; then no quantile is
// defined, and each result is the MMU.
//
// Go's own function for this (MUD) stops before it has counted anything and returns the MMU
// for every share; this one returns what Go's code would return without that early stop.
//
// Takes memory in proportion to the points that matter, which stays allocated until destroy. Fails
// with TP_E_MEMORY; ret_means is then unchanged.
int tp_mmu_quantiles(struct tp_mmu *m, int64_t window_ns, const double *shares, size_t count,
                     double *ret_means, struct tp_error *err) TP_MUST_USE;

#endif
