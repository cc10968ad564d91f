#include "sink/print/human.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct tp_human tp_human_count(tp_wide value)
{
    struct tp_human h = {.columns = 0};
    const struct tp_wide_text digits = tp_wide_text(value);
    size_t digit_count = strlen(digits.text);
    for (size_t i = 0; i < digit_count; i++) {
        if (i > 0 && (digit_count - i) % 3 == 0)
            h.text[h.columns++] = ',';
        h.text[h.columns++] = digits.text[i];
    }
    h.text[h.columns] = '\0';
    return h;
}

struct unit {
    uint64_t size;
    const char *name;
    unsigned columns;
};

// Formats the value in this unit, with three digits in all: at most two decimals.
static struct tp_human in_unit(tp_wide value, const struct unit *u)
{
    struct tp_human h;
    unsigned decimals = value / u->size >= 100 || u->size == 1 ? 0 : value / u->size >= 10 ? 1 : 2;
    unsigned scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    // Large values have no decimals.
    tp_wide scaled = value / u->size * scale + (value % u->size * scale + u->size / 2) / u->size;
    struct tp_human whole = tp_human_count(scaled / scale);
    int len = decimals == 0
                  ? snprintf(h.text, sizeof h.text, "%s", whole.text)
                  : snprintf(h.text, sizeof h.text, "%s.%0*u", whole.text, (int)decimals,
                             (unsigned)(scaled % scale));
    snprintf(h.text + len, sizeof h.text - (size_t)len, " %s", u->name);
    h.columns = (unsigned)len + 1 + u->columns;
    return h;
}

// Formats the value in the largest unit in which it is at least 1 after rounding to three digits.
static struct tp_human in_units(tp_wide value, const struct unit *units, size_t count)
{
    size_t i = count - 1;
    while (i > 0 && value < units[i].size - units[i].size / 2000)
        i--;
    return in_unit(value, &units[i]);
}

struct tp_human tp_human_ns(tp_wide ns)
{
    static const struct unit units[] = {
        {1, "ns", 2}, {1000, "\xc2\xb5s", 2}, {1000000, "ms", 2}, {1000000000, "s", 1}};
    static const struct unit days = {UINT64_C(86400000000000), "d", 1};
    if (ns >= UINT64_C(999999500000000)) // a million seconds after rounding
        return in_unit(ns, &days);
    return in_units(ns, units, TP_ARRAY_LEN(units));
}

struct tp_human tp_human_bytes(uint64_t bytes)
{
    static const struct unit units[] = {
        {1, "B", 1}, {1000, "kB", 2}, {1000000, "MB", 2}, {1000000000, "GB", 2}};
    return in_units(bytes, units, TP_ARRAY_LEN(units));
}

struct tp_human tp_human_printf(const char *format, ...)
{
    struct tp_human h;
    va_list ap;
    va_start(ap, format);
    h.columns = (unsigned)vsnprintf(h.text, sizeof h.text, format, ap);
    va_end(ap);
    return h;
}

struct tp_human tp_human_ratio(tp_wide part, tp_wide whole)
{
    uint64_t tenths = tp_wide_ratio(part, 10, whole);
    return tp_human_printf("%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
}

struct tp_human tp_human_share(tp_wide part, tp_wide whole)
{
    uint64_t tenths = tp_wide_ratio(part, 1000, whole);
    return tp_human_printf("%" PRIu64 ".%" PRIu64 "%%", tenths / 10, tenths % 10);
}
