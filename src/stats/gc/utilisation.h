// Mutator utilisation of an input, or of many: how much of the processors the garbage
// collector left to the program (curve.h, mmu.h), as figures that can be put together in
// any order and grouping: sums of integers, and the least over the inputs.
//
// Shares are parts of a million, rounded down; so the least over inputs does not depend on
// when it was rounded. Plain memory of one thread; zeroed is empty, nothing is to be freed.
#ifndef TP_STATS_GC_UTILISATION_H
#define TP_STATS_GC_UTILISATION_H

#include "base/wide.h"
#include "stats/gc/curve.h"

// Lengths of windows. X(WINDOW, ns, head, has_shares). One that is longer than the curve
// counts as that long. Of the shortest only the least figure is made: shares would take as
// long as those of all others, and mostly be 0.
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

// What counts as taken: what the page of `go tool trace` counts when it opens, over all Ps
// together.
#define TP_UTIL_FLAGS                                                                   \
    (TP_GC_UTIL_STW | TP_GC_UTIL_BACKGROUND | TP_GC_UTIL_ASSIST | TP_GC_UTIL_BY_LABEL)

// What is known of the windows of one length: no more than this share of them have a lower
// mean utilisation. The largest share rules how long that takes: with 0.01 twice as long as
// with 0.001. X(FIGURE, share, key, head)
#define TP_UTIL_FIGURES(X)                                                              \
    X(LEAST, 0, "mmu_ppm", "least")                                                     \
    X(P999, 0.001, "p999_ppm", "p99.9")

enum tp_util_figure {
#define TP_X(figure, share, key, head) TP_UTIL_FIGURE_##figure,
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
    TP_UTIL_FIGURE_COUNT
};

extern const struct tp_util_window_kind {
    int64_t ns;
    const char *head;
    unsigned figure_count; // the first so many
} tp_util_windows[TP_UTIL_WINDOW_COUNT];

// X(field, key)
#define TP_UTIL_COUNTS(X)                                                               \
    X(file_count, "files")             /* that the other figures are about */           \
    X(left_out_count, "left_out")      /* their curves had too many points */
// X(field, key)
#define TP_UTIL_TIMES(X)                                                                \
    X(curve_ns, "curve_ns")            /* from where the number of Ps is known */       \
    X(mutator_ns, "mutator_ns")        /* of these, on average over the Ps */           \
    X(assist_ns, "assist_running_ns")  /* goroutines ran in assists; of all files */

struct tp_utilisation {
#define TP_X(field, key) uint64_t field;
    TP_UTIL_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) tp_wide field;
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    uint32_t least_ppm[TP_UTIL_WINDOW_COUNT][TP_UTIL_FIGURE_COUNT]; // with file_count > 0
};

// Of a curve with more points no figures are made. Half a million take about 48 MiB, while the
// input ends; 8 MiB before that.
#define TP_UTIL_POINTS_MAX ((size_t)1 << 19)

// The figures of one input by its curve, which is complete and has one series or none: then,
// or if it is too long, the input is not in them. Nothing is left of what was in *u, but for
// `assist_ns`. TP_E_MEMORY.
int tp_utilisation_of(struct tp_utilisation *u, const struct tp_gc_curve *curve,
                      struct tp_error *err) TP_MUST_USE;
bool tp_utilisation_is_empty(const struct tp_utilisation *u);
void tp_utilisation_merge(struct tp_utilisation *into, const struct tp_utilisation *from);

#endif
