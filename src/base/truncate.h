// Converts floating-point numbers to integers as Go does on amd64. Pure.
#ifndef TP_BASE_TRUNCATE_H
#define TP_BASE_TRUNCATE_H

#include "base/attr.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

// Rounds towards zero. Returns INT64_MIN for NaN and for values out of the range of int64_t. One
// instruction on amd64.
TP_INLINE int64_t tp_truncate(double x)
{
#ifdef __x86_64__
    return _mm_cvttsd_si64(_mm_set_sd(x));
#else
    return x < 0x1p63 && x >= -0x1p63 ? (int64_t)x : INT64_MIN;
#endif
}

#endif
