// Totals that may pass 64 bits: nanoseconds of all goroutines of a trace, or of all traces of
// a run, where one clock out of its mind is enough. A duration is below 2^64, and so is how
// many there are, so what they come to is below 2^128. Totals of totals could pass that
// only if somebody made them up: they end at the greatest one, in any order of adding.
//
// Plain +, * and comparisons work; tp_wide_add is for totals that come from files.
#ifndef TP_BASE_WIDE_H
#define TP_BASE_WIDE_H

#include "base/attr.h"

__extension__ typedef unsigned __int128 tp_wide;

#define TP_WIDE_MAX (~(tp_wide)0)

TP_INLINE tp_wide tp_wide_add(tp_wide a, tp_wide b)
{
    tp_wide sum;
    if (tp_unlikely(__builtin_add_overflow(a, b, &sum)))
        return TP_WIDE_MAX;
    return sum;
}

// As memcmp.
TP_INLINE int tp_compare_wide(tp_wide a, tp_wide b)
{
    return a < b ? -1 : a > b;
}

// The greatest number of 64 bits instead of any above.
TP_INLINE uint64_t tp_wide_limited(tp_wide value)
{
    return value < UINT64_MAX ? (uint64_t)value : UINT64_MAX;
}

// How many times `whole` is in `part` times `scale`, rounded to the nearest, at most UINT64_MAX;
// 0 of nothing. Exact where `part` times `scale` is below 2^128; else within 1 in 2^50.
uint64_t tp_wide_ratio(tp_wide part, unsigned scale, tp_wide whole);

// "340282366920938463463374607431768211455" is the longest.
#define TP_WIDE_TEXT_BYTES 40
struct tp_wide_text {
    char text[TP_WIDE_TEXT_BYTES];
};
struct tp_wide_text tp_wide_text(tp_wide value);

#endif
