// Mutator utilisation of one or more inputs: how much of the processors the garbage collector
// left to the program (curve.h, mmu.h). The figures can be merged in any order and grouping:
// they are sums of integers, and minima over the inputs.
//
// Shares are in parts per million, rounded down; so a minimum over inputs is the same whether it
// is rounded before or after. A struct tp_utilisation is a plain value that owns no memory; a
// zeroed one is empty. One thread at a time may use it.
#ifndef TP_STATS_GC_UTILISATION_H
#define TP_STATS_GC_UTILISATION_H

#include "base/wide.h"
#include "stats/gc/curve.h"

// A share of 1.
#define TP_UTIL_WHOLE_PPM 1000000

// Lengths of windows. X(WINDOW, ns, head, has_shares). A window longer than the curve is
// shortened to it. The shortest has only the LEAST figure: its quantile would take as long
// to compute as those of all others together, and mostly be 0.
#define TP_UTIL_WINDOWS(X)                                                              \
    X(1MS, 1000000, "1 ms", false)                                                      \
    X(10MS, 10000000, "10 ms", true)                                                    \
    X(100MS, 100000000, "100 ms", true)                                                 \
    X(1S, 1000000000, "1 s", true)

enum tp_util_window {
#define TP_X(window, ns, head, has_shares) TP_UTIL_WINDOW_##window,
    TP_UTIL_WINDOWS(TP_X)
#undef TP_X
    TP_UTIL_WINDOW_COUNT
};

// Figures for the windows of one length: the mean utilisation that at most this share of the
// windows falls below. The largest share determines the time to compute all figures: 0.01 takes
// twice as long as 0.001. X(FIGURE, share, key, head)
#define TP_UTIL_FIGURES(X)                                                              \
    X(LEAST, 0, "mmu_ppm", "min")                                                     \
    X(P999, 0.001, "p999_ppm", "p99.9")

enum tp_util_figure {
#define TP_X(figure, share, key, head) TP_UTIL_FIGURE_##figure,
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
    TP_UTIL_FIGURE_COUNT
};

// The kinds of windows, indexed by enum tp_util_window. Constant.
extern const struct tp_util_window_kind {
    int64_t ns;
    const char *head;
    unsigned figure_count; // number of figures it has, from the first of enum tp_util_figure on
} tp_util_windows[TP_UTIL_WINDOW_COUNT];

// Numbers of files. X(field, key)
#define TP_UTIL_COUNTS(X)                                                               \
    X(file_count, "trace_count")                /* traces that the other figures cover */ \
    X(left_out_count, "excluded_trace_count")   /* traces whose curves are too large */
// Sums of times in ns. X(field, key)
//   curve        lengths of the curves, from the first known number of Ps to the end
//   mutator      the program's part of the curves, averaged over the Ps
//   assist       time that goroutines ran in assists, in all files, with a curve or without
#define TP_UTIL_TIMES(X)                                                                \
    X(curve_ns, "curve_ns")                                                             \
    X(mutator_ns, "mutator_ns")                                                         \
    X(assist_ns, "assist_running_ns")

// The figures of one input, or of a run. A plain value.
struct tp_utilisation {
#define TP_X(field, key) uint64_t field;
    TP_UTIL_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) tp_wide field;
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    uint32_t least_ppm[TP_UTIL_WINDOW_COUNT][TP_UTIL_FIGURE_COUNT]; // if file_count > 0
};

// A curve with more points than this gets no figures. Half a million points take 8 MiB, and
// approximately 48 MiB while the figures are computed.
#define TP_UTIL_POINTS_MAX ((size_t)1 << 19)

// Computes the figures of one input from its curve, which must be complete; does not keep the
// curve. Overwrites *u except `assist_ns`. If the curve has no length, no file is counted; if it is
// too long for mmu.h, left_out_count is 1. Fails with TP_E_MEMORY; the figures are then incomplete.
int tp_utilisation_of(struct tp_utilisation *u, const struct tp_gc_curve *curve,
                      struct tp_error *err) TP_MUST_USE;
// Adds the figures of `from` to `into`: sums counts and times, keeps the lesser minima. Cannot
// fail.
void tp_utilisation_merge(struct tp_utilisation *into, const struct tp_utilisation *from);

#endif
