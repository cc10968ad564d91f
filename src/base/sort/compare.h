// Compares numbers for sorting. The functions return a value below, at or above 0, as memcmp does.
// A comparison by several keys is a chain, in which a later key decides between equal ones:
//
//   return tp_compare_u64(a->kind, b->kind) ?: tp_compare_u64(a->line, b->line);
#ifndef TP_BASE_SORT_COMPARE_H
#define TP_BASE_SORT_COMPARE_H

#include "base/attr.h"

// Compares unsigned numbers.
TP_INLINE int tp_compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

// Compares unsigned numbers, to which the arguments point; for qsort.
TP_INLINE int tp_compare_u64_at(const void *a, const void *b)
{
    return tp_compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

// Compares signed numbers.
TP_INLINE int tp_compare_i64(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

#endif
