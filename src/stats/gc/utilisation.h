// Mutator utilisation of one or more inputs: how much of the processors the garbage collector
// left to the program (curve.h, mmu.h). The figures can be merged in any order and grouping:
// they are sums of integers, and minima over the inputs.
//
// Shares are in parts per million, rounded down; so a minimum over inputs is the same whether
// rounded before or after. Plain memory of one thread; zeroed is empty, and it owns no memory.
#ifndef TP_STATS_GC_UTILISATION_H
#define TP_STATS_GC_UTILISATION_H

#include "base/wide.h"
#include "stats/gc/curve.h"

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
// windows falls below. The largest share determines the time to compute them: 0.01 takes twice
// as long as 0.001. X(FIGURE, share, key, head)
#define TP_UTIL_FIGURES(X)                                                              \
    X(LEAST, 0, "mmu_ppm", "least")                                                     \
    X(P999, 0.001, "p999_ppm", "p99.9")

enum tp_util_figure {
#define TP_X(figure, share, key, head) TP_UTIL_FIGURE_##figure,
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
    TP_UTIL_FIGURE_COUNT
};

// The kinds of windows, by enum tp_util_window. Constant.
extern const struct tp_util_window_kind {
    int64_t ns;
    const char *head;
    unsigned figure_count; // it has so many of the figures, beginning with the first
} tp_util_windows[TP_UTIL_WINDOW_COUNT];

// X(field, key)
#define TP_UTIL_COUNTS(X)                                                               \
    X(file_count, "files")             /* that the other figures cover */               \
    X(left_out_count, "left_out")      /* files whose curves had too many points */
// X(field, key)
#define TP_UTIL_TIMES(X)                                                                \
    X(curve_ns, "curve_ns")            /* from where the number of Ps is known */       \
    X(mutator_ns, "mutator_ns")        /* program's part of it, averaged over the Ps */ \
    X(assist_ns, "assist_running_ns")  /* goroutines ran in assists; of all files */

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
// approximately 48 MiB while the input is finished.
#define TP_UTIL_POINTS_MAX ((size_t)1 << 19)

// Computes the figures of one input from its curve, which must be complete. An input whose curve
// has no length, or is too long, is not in the figures.
// Overwrites *u except `assist_ns`. TP_E_MEMORY.
int tp_utilisation_of(struct tp_utilisation *u, const struct tp_gc_curve *curve,
                      struct tp_error *err) TP_MUST_USE;
// Whether all figures are 0, as before any input.
bool tp_utilisation_is_empty(const struct tp_utilisation *u);
// Adds the figures of `from`: sums add up, minima are compared. Cannot fail.
void tp_utilisation_merge(struct tp_utilisation *into, const struct tp_utilisation *from);

#endif
