// A port of Go's slices.SortFunc (pattern-defeating quicksort, unstable), with the same
// comparisons and swaps as Go 1.26: Go's tools sort records with equal keys, and the order
// of these records shows in their output. Any thread.
#ifndef TP_BASE_SORT_GOSORT_H
#define TP_BASE_SORT_GOSORT_H

#include "base/attr.h"

// Returns a value below, at or above 0, as memcmp does. `ctx` is the argument of tp_gosort.
typedef int (*tp_cmp_fn)(const void *a, const void *b, void *ctx);

// Sorts `count` records of `each_bytes` bytes (at most 256) in place. Allocates nothing and cannot
// fail.
void tp_gosort(void *base, size_t count, size_t each_bytes, tp_cmp_fn cmp, void *ctx);

#endif
