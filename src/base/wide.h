// Totals of 128 bits, because totals may exceed 64 bits: one trace with an absurd clock is enough.
// A duration is below 2^64, and so is the number of durations, so their sum is below 2^128. A sum
// of totals could exceed 128 bits only if a file with forged totals was read. It is then
// TP_WIDE_MAX, whatever the order of adding.
//
// Plain +, * and comparisons work; use tp_wide_add for totals that come from files. All functions
// are pure.
#ifndef TP_BASE_WIDE_H
#define TP_BASE_WIDE_H

#include "base/attr.h"

__extension__ typedef unsigned __int128 tp_wide;

// The greatest value, which also stands for all greater sums.
#define TP_WIDE_MAX (~(tp_wide)0)

// Returns the sum, or TP_WIDE_MAX if the sum is larger.
TP_INLINE tp_wide tp_wide_add(tp_wide a, tp_wide b)
{
    tp_wide sum;
    if (tp_unlikely(__builtin_add_overflow(a, b, &sum)))
        return TP_WIDE_MAX;
    return sum;
}

// Returns the sum, or UINT64_MAX if the sum is larger: for counts that come from files.
TP_INLINE uint64_t tp_add_limited(uint64_t a, uint64_t b)
{
    uint64_t sum;
    if (tp_unlikely(__builtin_add_overflow(a, b, &sum)))
        return UINT64_MAX;
    return sum;
}

// Returns a value below, at or above 0, as memcmp does.
TP_INLINE int tp_compare_wide(tp_wide a, tp_wide b)
{
    return a < b ? -1 : a > b;
}

// Returns the value, or UINT64_MAX if the value is larger.
TP_INLINE uint64_t tp_wide_limited(tp_wide value)
{
    return value < UINT64_MAX ? (uint64_t)value : UINT64_MAX;
}

// Returns part * scale / whole, rounded to the nearest integer, at most UINT64_MAX; 0 if `whole` is
// 0. Exact if part * scale is below 2^128; else the relative error is below 2^-50.
uint64_t tp_wide_ratio(tp_wide part, unsigned scale, tp_wide whole);

// Room for the longest text, "340282366920938463463374607431768211455", and NUL.
#define TP_WIDE_TEXT_BYTES 40
// A number as text, by value, so that calls can stand in an argument list.
struct tp_wide_text {
    char text[TP_WIDE_TEXT_BYTES];
};
// Returns the value in decimal digits, with NUL.
struct tp_wide_text tp_wide_text(tp_wide value);

#endif
