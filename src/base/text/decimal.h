// Writes decimal digits without branches on the length of the value, for loops that print
// millions of numbers. (With a table of two-digit pairs the processor mispredicts the
// branches on the length of real time deltas; this code takes some 20 instructions for any
// value.) Any thread; cannot fail.
#ifndef TP_BASE_TEXT_DECIMAL_H
#define TP_BASE_TEXT_DECIMAL_H

#include <string.h>

#include "base/little.h"

// Number of digits of the greatest value.
#define TP_DECIMAL_MAX_BYTES 20
// Bytes after the last digit that these functions may overwrite.
#define TP_DECIMAL_SLACK 8

// Returns the eight decimal digits of `value` < 10^8, as numbers from 0 to 9, one in each byte. The
// first digit is in the lowest byte.
TP_INLINE uint64_t tp_eight_digits(uint32_t value)
{
    uint64_t halves = (uint64_t)(value / 10000) | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = ((halves * 10486) >> 20) & 0x0000007f0000007fULL;
    uint64_t pairs = ((halves - 100 * hundreds) << 16) + hundreds;
    uint64_t tens = ((pairs * 103) >> 10) & 0x000f000f000f000fULL;
    return ((pairs - 10 * tens) << 8) + tens;
}

// Writes `value`, which is below 10^8, as tp_put_decimal does.
TP_INLINE unsigned char *tp_put_decimal_short(unsigned char *to, uint32_t value)
{
    uint64_t digits = tp_eight_digits(value);
    // Shift out at most seven leading zeros: the top byte is the last digit.
    unsigned lead = (unsigned)__builtin_ctzll(digits | 1ULL << 56) & ~7u;
    digits = (digits | 0x3030303030303030ULL) >> lead;
    tp_store_le64(to, digits);
    return to + 8 - lead / 8;
}

// Writes `value` as tp_put_decimal does; out of line, because large values are rare.
unsigned char *tp_put_decimal_wide(unsigned char *to, uint64_t value);

// Writes `value` and returns one past the last digit. Needs room for the digits and
// TP_DECIMAL_SLACK bytes.
TP_INLINE unsigned char *tp_put_decimal(unsigned char *to, uint64_t value)
{
    if (tp_unlikely(value >= 100000000))
        return tp_put_decimal_wide(to, value);
    return tp_put_decimal_short(to, (uint32_t)value);
}

// The text of a value from -1, which often stands for "none", to 999: its characters from the left,
// and how many they are.
struct tp_small_decimal {
    unsigned char digits[3];
    uint8_t len_bytes;
};
// The table has the values from -1 to this one minus 1.
#define TP_SMALL_DECIMALS 1000
// The table, indexed by value + 1. Constant once it is filled.
extern struct tp_small_decimal tp_small_decimals[1 + TP_SMALL_DECIMALS];
// Fills the table. Call it before tp_put_decimal_tabled and tp_put_signed_tabled; any
// thread, any number of times.
void tp_small_decimals_make(void);

// Writes the value `idx` - 1, which is from -1 to 999, from the table.
TP_INLINE unsigned char *tp_put_small_decimal(unsigned char *to, uint64_t idx)
{
    memcpy(to, &tp_small_decimals[idx], 4);
    return to + tp_small_decimals[idx].len_bytes;
}

// Writes `value` as tp_put_decimal does; faster if most values are below 1000.
TP_INLINE unsigned char *tp_put_decimal_tabled(unsigned char *to, uint64_t value)
{
    if (tp_likely(value < TP_SMALL_DECIMALS))
        return tp_put_small_decimal(to, value + 1);
    return tp_put_decimal(to, value);
}

// Writes any `value` as tp_put_signed_tabled does; out of line.
unsigned char *tp_put_signed_wide(unsigned char *to, int64_t value);

// Writes `value` with its sign; fast if most values are from -1 to 999. Returns one past the
// last digit. Needs room for the sign, the digits and TP_DECIMAL_SLACK bytes.
TP_INLINE unsigned char *tp_put_signed_tabled(unsigned char *to, int64_t value)
{
    uint64_t idx = (uint64_t)value + 1;
    if (tp_likely(idx <= TP_SMALL_DECIMALS))
        return tp_put_small_decimal(to, idx);
    return tp_put_signed_wide(to, value);
}

#endif
