// Go's slices.SortFunc (pattern-defeating quicksort, unstable), ported once:
// where Go's tools sort records with equal keys, the order of ties shows in
// their output. Same comparisons, same swaps as Go 1.26.
#ifndef TP_BASE_SORT_GOSORT_H
#define TP_BASE_SORT_GOSORT_H

#include "base/attr.h"

// < 0, 0, > 0 as usual. `ctx` is passed through.
typedef int (*tp_cmp_fn)(const void *a, const void *b, void *ctx);

// Sorts `count` records of `each_bytes` (at most 256). Allocates nothing.
void tp_gosort(void *base, size_t count, size_t each_bytes, tp_cmp_fn cmp, void *ctx);

#endif
