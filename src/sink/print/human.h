// Figures as people read them. Pure functions of integers: the same on every machine.
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

// Text of ASCII, shorter than TP_HUMAN_BYTES.
struct tp_human tp_human_printf(const char *format, ...) TP_PRINTF(1, 2);
// "1,234,567"
struct tp_human tp_human_count(tp_wide value);
// "17 ns", "1.23 µs", "45.6 ms", "789 s": three digits, rounded to the nearest.
struct tp_human tp_human_ns(tp_wide ns);
// "17 B", "1.23 MB": the same for bytes, in powers of 1000.
struct tp_human tp_human_bytes(uint64_t bytes);
// "12.3": `part` divided by `whole`, rounded to the nearest tenth.
struct tp_human tp_human_ratio(tp_wide part, tp_wide whole);
// "12.3%" of the whole, rounded to the nearest; "0.0%" if the whole is 0.
struct tp_human tp_human_share(tp_wide part, tp_wide whole);

// "s", the plural ending of a noun, unless `count` is 1.
TP_INLINE const char *tp_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
