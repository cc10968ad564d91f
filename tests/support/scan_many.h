// Takes many extents of a scan at once, for tests that look at lists of them.
#ifndef TP_TESTS_SCAN_MANY_H
#define TP_TESTS_SCAN_MANY_H

#include "decode/decoder.h"

// Defines a function that calls `next`, such as tp_scan_v2_next, to fill `extents` with at most
// `capacity` extents of `bytes`; *ret_count becomes their number. The function returns the number
// of bytes that they cover.
#define SCAN_MANY(name, scan_type, next)                                                   \
    TP_INLINE size_t name(scan_type *s, struct tp_span bytes, bool at_end,                 \
                          struct tp_extent *extents, size_t capacity, size_t *ret_count)   \
    {                                                                                      \
        struct tp_span rest = bytes;                                                       \
        size_t count = 0;                                                                  \
        while (count < capacity && next(s, rest, at_end, &extents[count]))                 \
            rest = tp_span_skip(rest, extents[count++].len_bytes);                         \
        *ret_count = count;                                                                \
        return bytes.len_bytes - rest.len_bytes;                                           \
    }

SCAN_MANY(scan_many, struct tp_scan, tp_scan_next)
SCAN_MANY(scan_many_v1, struct tp_scan_v1, tp_scan_v1_next)
SCAN_MANY(scan_many_v2, struct tp_scan_v2, tp_scan_v2_next)

#endif
