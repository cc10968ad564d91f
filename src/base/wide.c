#include "base/wide.h"

#include <string.h>

uint64_t tp_wide_ratio(tp_wide part, unsigned scale, tp_wide whole)
{
    if (whole == 0)
        return 0;
    while (part > (TP_WIDE_MAX >> 1) / scale || whole > TP_WIDE_MAX >> 1) {
        part >>= 1;
        whole >>= 1;
    }
    return whole > 0 ? tp_wide_limited((part * scale + whole / 2) / whole) : UINT64_MAX;
}

// Digits that fit into 64 bits, where a division is cheap.
#define LOW_DIGITS 19
#define LOW_END UINT64_C(10000000000000000000)

// Writes at least `digit_count` digits, the last one before `end`; returns the first one's address.
static char *put_digits(char *end, uint64_t value, int digit_count)
{
    for (; value > 0 || digit_count > 0; digit_count--) {
        *--end = (char)('0' + value % 10);
        value /= 10;
    }
    return end;
}

struct tp_wide_text tp_wide_text(tp_wide value)
{
    struct tp_wide_text t;
    char digits[TP_WIDE_TEXT_BYTES];
    char *at = digits + sizeof digits;
    *--at = '\0';
    for (; value > UINT64_MAX; value /= LOW_END)
        at = put_digits(at, (uint64_t)(value % LOW_END), LOW_DIGITS);
    at = put_digits(at, (uint64_t)value, 1);
    memcpy(t.text, at, (size_t)(digits + sizeof digits - at));
    return t;
}
