// Mutator utilisation over windows of time: how much of the processors the collector
// leaves to the program at worst (MMU), and how that is distributed (MUD). Pure arithmetic
// over curves, of which curve.h makes some.
//
// The mean over a window that slides along a curve of steps is piecewise linear, with
// its bends where an edge of the window meets a step; so only those places are looked
// at. A curve is cut into at most 1000 bands of equal length, each with a bound below
// which no window that begins in it can fall; bands are looked into from the lowest
// bound on, until no bound is left that could make a difference.
//
// Equals Go's figures (internal/trace of Go 1.26 on amd64) bit for bit: the same
// sums of doubles in the same order. With one exception, see tp_mmu_quantiles.
//
// Bands do not always end with the curve. As Go does it, one window may then reach over
// the end, where nothing is left to the program, by less ns than there are bands; so
// figures for windows not much longer than that may be too low.
//
// An object belongs to one thread at a time: queries use memory of it.
#ifndef TP_STATS_GC_MMU_H
#define TP_STATS_GC_MMU_H

#include "base/err.h"

struct tp_util_point {
    int64_t time_ns;
    double utilisation; // from here on; 0 to 1
};

// A step function, defined from its first point to its last, whose value does not
// matter. Times increase.
struct tp_util_series {
    struct tp_util_point *points;
    size_t point_count;
};

struct tp_mmu;

// Many series are the curves of single Ps: figures are those over the windows of all.
// Borrows the points until destroy, copies the rest. A series of no length has no
// windows and is left out. TP_E_TOO_LARGE: a time is 36 years or more from 0 (2^60 ns);
// TP_E_MEMORY.
int tp_mmu_create(const struct tp_util_series *series, size_t series_count,
                  struct tp_mmu **ret, struct tp_error *err) TP_MUST_USE;
void tp_mmu_destroy(struct tp_mmu *m); // NULL is fine

// The least mean over any window of that length. Windows longer than a series are cut
// to it. 0 for a window of no length, 1 without any series.
double tp_mmu_least(struct tp_mmu *m, int64_t window_ns);

// The mean that a share of all windows does not exceed, for each of `count` shares of 0
// to 1; windows are weighed by the time in which they begin, and a series shorter than
// the window has none. Where that is not defined (no time at all), the MMU.
//
// Go's own function for this (MUD) stops before it has counted anything and answers the
// MMU for every share; this one gives what Go's code gives when it is let through.
//
// Takes memory in proportion to the points that matter. TP_E_MEMORY.
int tp_mmu_quantiles(struct tp_mmu *m, int64_t window_ns, const double *shares, size_t count,
                     double *ret_means, struct tp_error *err) TP_MUST_USE;

#endif
