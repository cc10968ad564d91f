// Formats figures for people. Pure functions of integers: the results are the same on every
// machine. They return values, own no memory, cannot fail, and may be called on any thread.
#ifndef TP_SINK_PRINT_HUMAN_H
#define TP_SINK_PRINT_HUMAN_H

#include "base/span.h"
#include "base/wide.h"

// Room for 2^128 with thousands separators, or with a unit.
#define TP_HUMAN_BYTES 64

// A figure as text, by value.
struct tp_human {
    char text[TP_HUMAN_BYTES];
    unsigned columns; // width on a terminal
};

// Formats text of ASCII, which must be shorter than TP_HUMAN_BYTES.
struct tp_human tp_human_printf(const char *format, ...) TP_PRINTF(1, 2);
// Formats a count: "1,234,567".
struct tp_human tp_human_count(tp_wide value);
// Formats a duration: "17 ns", "1.23 µs", "45.6 ms", "789 s": three digits, rounded to the nearest.
// Sums have more digits, up to "999,999 s"; larger ones are days: "11.6 d". So a table's column is
// wide enough for sums of 2,700 years.
struct tp_human tp_human_ns(tp_wide ns);
// Formats bytes in the same way, by powers of 1000: "17 B", "1.23 MB".
struct tp_human tp_human_bytes(uint64_t bytes);
// Formats `part` divided by `whole`, rounded to the nearest tenth: "12.3"; "0.0" if `whole` is 0.
struct tp_human tp_human_ratio(tp_wide part, tp_wide whole);
// Formats `part` as a share of `whole`, rounded to the nearest: "12.3%"; "0.0%" if `whole` is 0.
struct tp_human tp_human_share(tp_wide part, tp_wide whole);

// Returns "s", the plural ending of a noun, or "" if `count` is 1. Constant.
TP_INLINE const char *tp_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
